const SCALAR = String.raw`(?:"(?:[^"\\]|\\.)*"|-?[\d.eE+-]+|true|false|null)`
const SCALARS = new RegExp(String.raw`\[\n\s+(${SCALAR}(?:,\n\s+${SCALAR})*)\n\s+\]`, 'g')
const REFERENCE = /\{\n\s+("\$ref": "[^"]*")\n\s+\}/g

/** What a media type and a component show. */
const EXAMPLES: ReadonlySet<string> = new Set(['example', 'value'])
const INLINE = /"\\u0000(\d+)"/g

/** A description as it is served and committed: a list of words takes one line, and so does a reference or an example. */
export function textOf(document: object): string {
  const examples: string[] = []
  const inline = (key: string, value: unknown) =>
    EXAMPLES.has(key) && typeof value === 'object' ? `\0${examples.push(JSON.stringify(value)) - 1}` : value
  const short = JSON.stringify(document, inline, 1)
    .replaceAll(SCALARS, (_list, words: string) => `[${words.replaceAll(/,\n\s+/g, ', ')}]`)
    .replaceAll(REFERENCE, '{ $1 }')
    .replaceAll(INLINE, (_mark, nth: string) => examples[Number(nth)] as string)
  return `${short}\n`
}
