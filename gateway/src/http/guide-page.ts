import { Marked, type Token } from 'marked'

/** One guide as a page. */
interface GuidePage {
  title: string
  html: string
}

/** Where a link of a guide leads, or undefined where it leads to nothing that is served. */
export type Resolve = (href: string) => string | undefined

/** Renders Markdown of ours. A link that leads to nothing is an error: readers have no copy of the repository. */
export function guidePage(markdown: string, resolve: Resolve): GuidePage {
  const rendered = new Marked({ gfm: true, walkTokens: (token) => lead(token, resolve) }).parse(markdown) as string
  const title = /^# (.+)$/m.exec(markdown)?.[1] ?? 'Guide'
  return { title, html: pageOf(title, `<nav>${BACK}</nav>\n${withAnchors(rendered)}`) }
}

function lead(token: Token, resolve: Resolve): void {
  if (token.type !== 'link') return
  const href = resolve(token['href'] as string)
  if (href === undefined) throw new Error(`A guide links to ${token['href']}, which is not served`)
  token['href'] = href
}

/** Headings can be linked to, by the names that other readers of Markdown give them. */
function withAnchors(html: string): string {
  const seen = new Map<string, number>()
  return html.replaceAll(/<h([1-6])>(.*?)<\/h\1>/g, (_heading, level: string, inner: string) => {
    const slug = slugOf(inner)
    const times = seen.get(slug) ?? 0
    seen.set(slug, times + 1)
    return `<h${level} id="${times === 0 ? slug : `${slug}-${times}`}">${inner}</h${level}>`
  })
}

const slugOf = (html: string): string =>
  html
    .replaceAll(/<[^>]+>|&\w+;|&#\d+;/g, '')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-')

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

/** Drawn here: a browser that is told of none asks for /favicon.ico. */
export const ICON = `<link rel="icon" href="data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Ccircle cx='8' cy='8' r='7' fill='%230b6b3a'/%3E%3Cpath d='M5 8h6M8.5 5.5 11 8l-2.5 2.5' fill='none' stroke='white' stroke-width='1.5'/%3E%3C/svg%3E">`

const BACK = '<a href="/">Delivery Dispatch</a> · <a href="/docs/guides">Guides</a> · <a href="/docs">API reference</a>'

/** A page of ours for people. */
export const pageOf = (title: string, body: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)} · Delivery Dispatch</title>
${ICON}
<style>
:root { color-scheme: light dark; font: 16px/1.6 system-ui, sans-serif }
body { max-width: 52rem; margin: 0 auto; padding: 1.5rem }
h1, h2, h3 { line-height: 1.25 }
pre { overflow-x: auto; padding: .8rem 1rem; border-radius: .4rem; background: #8882 }
code { font: .875em/1.5 ui-monospace, monospace }
table { display: block; overflow-x: auto; border-collapse: collapse }
th, td { padding: .35rem .7rem; border: 1px solid #8886; text-align: left; vertical-align: top }
</style>
</head>
<body>
${body}
</body>
</html>
`
