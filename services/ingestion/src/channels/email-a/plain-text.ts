/** Longer pages are cut: an order is told in the beginning. */
const MAX_HTML = 262_144
const HIDDEN = new Set(['script', 'style', 'head', 'title'])
/** Behind these a line ends. */
const BLOCKS = new Set(
  'address article blockquote br dd div dt h1 h2 h3 h4 h5 h6 hr li p pre section table tr ul'.split(' '),
)
/** Between these two there is one space that is none of a text. */
const CELLS = new Set(['td', 'th'])
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' }

/** What a page shows, line by line; the cells of a row are parted by tabs. In one pass, whatever the page holds. */
export function plainText(html: string): string {
  const page = html.slice(0, MAX_HTML)
  let text = ''
  let hidden: string | null = null
  let at = 0
  while (at < page.length) {
    const opens = page.indexOf('<', at)
    if (hidden === null) text += spaced(page.slice(at, opens < 0 ? page.length : opens))
    if (opens < 0) break
    const closes = page.startsWith('<!--', opens) ? endOf(page, '-->', opens) : endOf(page, '>', opens)
    const [, slash, name = ''] = /^<(\/?)([a-z][a-z0-9]{0,15})/i.exec(page.slice(opens, opens + 20)) ?? []
    const tag = name.toLowerCase()
    if (HIDDEN.has(tag)) {
      if (slash !== '/') hidden ??= tag
      else if (tag === hidden) hidden = null
    } else if (hidden === null && BLOCKS.has(tag)) text += '\n'
    else if (hidden === null && CELLS.has(tag) && slash === '/') text += '\t'
    at = closes
  }
  return text
}

function endOf(page: string, mark: string, from: number): number {
  const found = page.indexOf(mark, from)
  return found < 0 ? page.length : found + mark.length
}

/** Lines of a page end where its tags say so. */
const spaced = (text: string): string => text.replaceAll(/\s/g, ' ').replaceAll(/&(#x?)?([0-9a-z]{1,10});/gi, character)

function character(whole: string, number: string | undefined, name: string): string {
  if (number === undefined) return ENTITIES[name.toLowerCase()] ?? whole
  const code = Number.parseInt(name, number === '#' ? 10 : 16)
  return code > 31 && code <= 0x10ffff ? String.fromCodePoint(code).toWellFormed() : ' '
}
