import { randomBytes } from 'node:crypto'
import { endOfString } from './end-of-string.ts'

/** The engine has both; the language's type library does not know them yet. */
const { rawJSON, isRawJSON } = JSON as unknown as {
  rawJSON: (text: string) => { readonly rawJSON: string }
  isRawJSON: (value: unknown) => boolean
}

/** A double has at least this many significant digits. */
const SAFE_DIGITS = 15
const MAY_BE_LONG = new RegExp(`\\d[\\d.]{${SAFE_DIGITS}}`)
const LONG = new RegExp(`-?\\d[\\d.eE+-]{${SAFE_DIGITS},}`, 'g')
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/
const COLON = /[ \t\n\r]*:/y

/** A number that is kept as it was spelled. */
export const isExactNumber = (value: object): value is { readonly rawJSON: string } => isRawJSON(value)

/** False when JSON.parse reads every number of the text with all of its digits. */
export const mayLoseDigits = (text: string): boolean => MAY_BE_LONG.test(text)

/**
 * JSON.parse, except that a number with more digits than a double can hold becomes what JSON.stringify writes exactly as
 * it was spelled. Nothing else about it can be read. With `within`, only below that field of the outermost object.
 */
export function parseExact(text: string, within?: string): unknown {
  if (!mayLoseDigits(text)) return JSON.parse(text)
  const { marked, spelled } = mark(text)
  const value: unknown = JSON.parse(marked)
  if (spelled.length === 0) return value
  const exact = (place: number) => rawJSON(spelled[place] as string)
  if (within === undefined) return put(value, exact)
  const read = (place: number) => Number(spelled[place])
  if (!isContainer(value) || Array.isArray(value)) return put(value, read)
  for (const key of Object.keys(value)) value[key] = put(value[key], key === within ? exact : read)
  return value
}

// No value can hold the mark by accident or design: it is drawn anew in every process and never leaves it.
const MARK = randomBytes(12).toString('base64')

/**
 * The text with a string in the place of each long number, and how those were spelled: the engine's own way to ask for
 * the source of numbers takes fifty times as long. What was no JSON is none afterwards either.
 */
function mark(text: string): { marked: string; spelled: string[] } {
  const spelled: string[] = []
  const leaveStrings = stringsOf(text)
  let marked = ''
  let taken = 0
  LONG.lastIndex = 0
  for (let found = LONG.exec(text); found; found = LONG.exec(text)) {
    const [source] = found
    const outside = leaveStrings(found.index)
    if (outside > found.index) LONG.lastIndex = outside
    else if (isLong(source) && !isKey(text, LONG.lastIndex)) {
      marked += `${text.slice(taken, found.index)}"${MARK}${spelled.length}"`
      taken = LONG.lastIndex
      spelled.push(source)
    }
  }
  return { marked: marked + text.slice(taken), spelled }
}

/** Answers, for places that only grow, the first one from there on that is in no string. */
function stringsOf(text: string): (place: number) => number {
  let quote = text.indexOf('"')
  let outside = 0
  return (place) => {
    while (quote !== -1 && quote < place) {
      outside = endOfString(text, quote) + 1
      quote = text.indexOf('"', outside)
    }
    return Math.max(outside, place)
  }
}

const isLong = (source: string): boolean => NUMBER.test(source) && String(Number(source)) !== source

/** A number is no key, but a string in its place would be. */
function isKey(text: string, end: number): boolean {
  COLON.lastIndex = end
  return COLON.test(text)
}

type NumberAt = (place: number) => unknown

const isContainer = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

/** The value with a number in the place of each mark. */
function put(value: unknown, numberAt: NumberAt): unknown {
  if (typeof value === 'string') {
    return value.startsWith(MARK) ? numberAt(Number(value.slice(MARK.length))) : value
  }
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) if (mayBeMarked(value[i])) value[i] = put(value[i], numberAt)
  } else if (isContainer(value)) {
    for (const key of Object.keys(value)) if (mayBeMarked(value[key])) value[key] = put(value[key], numberAt)
  }
  return value
}

const mayBeMarked = (value: unknown): boolean => typeof value === 'string' || isContainer(value)
