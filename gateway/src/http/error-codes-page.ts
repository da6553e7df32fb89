import { STATUS_CODES } from 'node:http'
import { ERRORS, type ErrorCode } from '@svc/errors'
import { DETAILS_OF, errorDetails } from './error-details.ts'

const HEAD = `# Error codes

Every code that an error may have, and what its \`details\` may hold; the list of both may grow. How to read an error, and when to send a request again, is in [errors](errors.md); which codes a route answers with is in its description.

This page is written by \`npm run generate\`.
`

/** The codes of errors as a page for users of the API. */
export function errorCodesPage(): string {
  const codes = Object.keys(ERRORS) as ErrorCode[]
  const byStatus = [...Map.groupBy(codes, (code) => ERRORS[code].http)].toSorted(([a], [b]) => a - b)
  const sections = byStatus.map(([status, ofStatus]) => {
    const rows = ofStatus.map((code) => [`\`${code}\``, ERRORS[code].message, namesOf(code)])
    return `## ${status} ${STATUS_CODES[status]}\n\n${table(['code', 'message', 'details'], rows)}`
  })
  const meanings = Object.entries(errorDetails.shape).map(([name, schema]) => [
    `\`${name}\``,
    String(schema.meta()?.description),
  ])
  return [HEAD, ...sections, `## Details\n\n${table(['name', 'meaning'], meanings)}`].join('\n')
}

const namesOf = (code: ErrorCode): string => (DETAILS_OF[code] ?? []).map((name) => `\`${name}\``).join(', ')

/** Of columns as wide as their widest cell, as all tables here are. */
function table(head: readonly string[], rows: ReadonlyArray<readonly string[]>): string {
  const widths = head.map((_name, i) => Math.max(...[head, ...rows].map((row) => row[i]!.length)))
  const line = (cells: readonly string[]) => `| ${cells.map((cell, i) => cell.padEnd(widths[i]!)).join(' | ')} |\n`
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('')
}
