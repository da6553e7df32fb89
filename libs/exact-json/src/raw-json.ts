import { randomBytes } from 'node:crypto'

/** JSON text that goes into a reply as it is, without being parsed and written again. */
export class RawJson {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }

  toJSON(): string {
    pieces.push(this.text)
    return MARK
  }
}

// No value can hold the mark by accident or design: it is drawn anew in every process and never leaves it.
const MARK = `raw:${randomBytes(16).toString('hex')}`
const QUOTED = `"${MARK}"`

let pieces: string[] = []

/** JSON.stringify, with each RawJson written in its place. */
export function stringify(body: unknown): string {
  pieces = []
  const text = JSON.stringify(body)
  if (pieces.length === 0) return text
  const between = text.split(QUOTED)
  let whole = between[0] ?? ''
  for (let i = 0; i < pieces.length; i++) whole += pieces[i] + (between[i + 1] ?? '')
  return whole
}
