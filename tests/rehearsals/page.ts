import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'

const RUNBOOKS = resolve(import.meta.dirname, '../../docs/runbooks')

/** One block of commands of a runbook. */
export interface Block {
  /** `sh`, `sql` or `promql`; blocks of another language are nobody's commands. */
  language: string
  /**
   * Whose environment or database it is for, where it is one process's: the second word behind the fence. `administrator` is the
   * administrator of the server, in the database of the service that the page is followed for.
   */
  process: string | undefined
  text: string
}

/** The blocks of a section, subsections included, in the order of the page; `wallet.md#payouts-wait`. */
export function blocksOf(section: string): Block[] {
  const blocks: Block[] = []
  let fence: RegExpExecArray | null = null
  let lines: string[] = []
  for (const line of sectionOf(section)) {
    const found = /^( *)```(\w*) *(\w*)/.exec(line)
    if (fence && found) {
      const indent = fence[1]!.length
      const text = lines.map((one) => one.slice(indent)).join('\n')
      blocks.push({ language: fence[2]!, process: fence[3] || undefined, text })
      fence = null
    } else if (fence) lines.push(line)
    else if (found) [fence, lines] = [found, []]
  }
  return blocks.filter(({ language }) => ['sh', 'sql', 'promql'].includes(language))
}

/** The lines below a heading up to the next one of its level; below the first one of a page that is named alone. */
export function sectionOf(section: string): string[] {
  const [page, anchor] = section.split('#') as [string, string?]
  const lines = readFileSync(resolve(RUNBOOKS, page), 'utf8').split('\n')
  if (anchor === undefined) return lines.slice(1)
  const levelOf = (line: string) => /^(#+) /.exec(line)?.[1]?.length ?? Number.POSITIVE_INFINITY
  const start = lines.findIndex((line) => /^#+ /.test(line) && anchorOf(line) === anchor)
  if (start < 0) throw new Error(`docs/runbooks/${page} has no section #${anchor}`)
  let fenced = false
  const length = lines.slice(start + 1).findIndex((line) => {
    if (/^ *```/.test(line)) fenced = !fenced
    return !fenced && levelOf(line) <= levelOf(lines[start]!)
  })
  return lines.slice(start + 1, length < 0 ? undefined : start + 1 + length)
}

/** As a browser finds a heading. */
const anchorOf = (heading: string): string =>
  heading
    .replace(/^#+ /, '')
    .toLowerCase()
    .replaceAll(/[^\w\- ]/g, '')
    .replaceAll(' ', '-')
