import { isUtf8 } from 'node:buffer'
import { countContainers } from './count-containers.ts'
import { isExactNumber, parseExact } from './parse-exact.ts'

export type JsonObject = Readonly<Record<string, unknown>>

/** What is read by nobody; the reason is a code, the message a sentence for its sender. */
export class UnfitJson extends Error {
  readonly reason: string
  constructor(reason: string, message: string) {
    super(message)
    this.reason = reason
  }
}

const MAX_DEPTH = 64
const MAX_KEYS = 10_000
/** A tenth of what fits into a body. It is their number, not their depth, that makes a body slow to read. */
const MAX_CONTAINERS = 50_000

const refuse = (reason: string, message: string) => new UnfitJson(reason, message)

/**
 * Parses a body that may have been made to hurt: whatever later layers cannot store or would misread (deep nesting,
 * NUL, lone surrogates, `__proto__`, invalid UTF-8) throws UnfitJson, wherever in the body it stands. What lies below
 * `exact`, a field or everything, is what JSON.stringify writes with every digit that was sent.
 */
export function readObject(bytes: Buffer, exact?: string | true, maxKeys = MAX_KEYS): JsonObject {
  if (!isUtf8(bytes)) throw refuse('invalid_utf8', 'The body is not valid UTF-8.')
  const text = bytes.toString('utf8')
  // Shorter ones cannot hold so many.
  if (text.length > 2 * MAX_CONTAINERS && countContainers(text, MAX_CONTAINERS) > MAX_CONTAINERS)
    throw refuse('too_many_containers', `The body has more than ${MAX_CONTAINERS} objects and arrays.`)
  const value = parse(text, exact)
  if (typeof value !== 'object' || value === null || Array.isArray(value) || isExactNumber(value)) {
    throw refuse('not_an_object', 'The body must be a JSON object.')
  }
  // Valid UTF-8 JSON holds neither NUL nor lone surrogates unless an escape spells them.
  inspect(value, { escaped: text.includes('\\u'), keys: 0, maxKeys }, 1)
  return value as JsonObject
}

function parse(text: string, exact: string | true | undefined): unknown {
  try {
    return exact === undefined ? JSON.parse(text) : parseExact(text, exact === true ? undefined : exact)
  } catch {
    throw refuse('malformed_json', `The body is not valid JSON${whereOf(text)}.`)
  }
}

const PLACE = /\(line (\d+) column (\d+)\)$/

/** What the reader stumbled over, and where it says so: of the text as it came, and none of it but one character. */
function whereOf(text: string): string {
  try {
    JSON.parse(text)
  } catch (error) {
    const { message } = error as Error
    const [what = ''] = message.split(/, "|, \.\.\."| in JSON| after JSON| of JSON input/, 1)
    const [, line, column] = PLACE.exec(message) ?? []
    return `: ${what.toWellFormed()}${line ? `, line ${line}, column ${column}` : ''}`
  }
  return ''
}

interface Inspection {
  escaped: boolean
  keys: number
  maxKeys: number
}

function inspect(value: object, inspection: Inspection, depth: number): void {
  if (depth > MAX_DEPTH) throw refuse('too_deep', `The body is nested deeper than ${MAX_DEPTH} levels.`)
  if (Array.isArray(value)) {
    for (const element of value) inspectValue(element, inspection, depth)
    return
  }
  for (const key of Object.keys(value)) {
    inspection.keys++
    if (key === '__proto__') throw refuse('forbidden_key', 'The key __proto__ is not allowed.')
    if (inspection.escaped) inspectText(key)
    inspectValue((value as Record<string, unknown>)[key], inspection, depth)
  }
  const { keys, maxKeys } = inspection
  if (keys > maxKeys) throw refuse('too_many_keys', `The body has more than ${maxKeys} keys.`)
}

function inspectValue(value: unknown, inspection: Inspection, depth: number): void {
  if (typeof value === 'object') {
    if (value === null) return
    if (isExactNumber(value)) inspectNumber(Number(value.rawJSON))
    else inspect(value, inspection, depth + 1)
  } else if (typeof value === 'string') {
    if (inspection.escaped) inspectText(value)
  } else if (typeof value === 'number') inspectNumber(value)
}

function inspectNumber(value: number): void {
  if (Number.isFinite(value)) return
  throw refuse('number_out_of_range', 'The body holds a number beyond what JSON readers can represent.')
}

function inspectText(text: string): void {
  if (text.includes('\0')) throw refuse('nul_character', 'The body holds a NUL character.')
  if (!text.isWellFormed()) throw refuse('lone_surrogate', 'The body holds a lone surrogate.')
}
