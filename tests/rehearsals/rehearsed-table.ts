import { FAULTS, UNSEEN } from './faults/index.ts'

const linked = (section: string) => `[${section.replace('.md#', ': ').replaceAll('-', ' ')}](${section})`

/** What docs/runbooks/README.md tells of each alert and of each fault: `run.ts --table` prints it. */
export function rehearsedTable(): string {
  const alerts = new Map<string, { section: string; by: string[] }>()
  for (const { name, watched } of FAULTS)
    for (const { alert, section } of watched) {
      const known = alerts.get(alert) ?? { section, by: [] }
      alerts.set(alert, { ...known, by: [...known.by, `\`${name}\``] })
    }
  const rows = [...alerts].map(([alert, { section, by }]) => [`\`${alert}\``, linked(section), by.join(', ')])
  const faults = FAULTS.map(({ name, what }) => [`\`${name}\``, what, UNSEEN.includes(name) ? 'not yet' : 'yes'])
  return `${padded(['alert', 'what to do', 'rehearsed by'], rows)}\n\n${padded(['fault', 'what is done', 'seen to pass'], faults)}`
}

/** As the pages of the repository are laid out. */
function padded(head: string[], rows: string[][]): string {
  const sorted = rows.toSorted(([one = ''], [other = '']) => (one < other ? -1 : 1))
  const width = head.map((_, index) => Math.max(...[head, ...sorted].map((row) => row[index]!.length)))
  const line = (row: string[]) => `| ${row.map((cell, index) => cell.padEnd(width[index]!)).join(' | ')} |`
  return [line(head), line(width.map((count) => '-'.repeat(count))), ...sorted.map(line)].join('\n')
}
