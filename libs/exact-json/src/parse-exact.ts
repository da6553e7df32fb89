/** The engine has both; the language's type library does not know them yet. */
const { rawJSON, parse } = JSON as unknown as {
  rawJSON: (text: string) => unknown
  parse: (text: string, reviver: (key: string, value: unknown, context: { source?: string }) => unknown) => unknown
}

/** A double has at least this many significant digits. */
const SAFE_DIGITS = 15
const MAY_BE_LONG = new RegExp(`\\d[\\d.]{${SAFE_DIGITS}}`)

/** False when JSON.parse reads every number of the text with all of its digits. */
export const mayLoseDigits = (text: string): boolean => MAY_BE_LONG.test(text)

/**
 * JSON.parse, except that a number with more digits than a double can hold becomes what JSON.stringify writes exactly as
 * it was spelled. Nothing else about it can be read.
 */
export function parseExact(text: string): unknown {
  // Asking for the source of each value takes several times as long.
  if (!mayLoseDigits(text)) return JSON.parse(text)
  return parse(text, (_key, value, { source }) =>
    typeof value === 'number' && source !== undefined && source.length > SAFE_DIGITS && String(value) !== source
      ? rawJSON(source)
      : value,
  )
}
