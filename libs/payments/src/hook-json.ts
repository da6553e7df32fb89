const MAX_DEPTH = 64

export type JsonObject = Readonly<Record<string, unknown>>

const NO_OBJECT: JsonObject = {}

/**
 * The object that a text from outside holds, or null where it holds none, is no UTF-8, or is nested deeper than anything
 * honest. Keys that would reach a prototype are dropped, and so is every text with a NUL, which no database takes.
 */
export function readHookJson(body: Buffer | string): JsonObject | null {
  try {
    const text = typeof body === 'string' ? body : new TextDecoder('utf-8', { fatal: true }).decode(body)
    if (depthOf(text) > MAX_DEPTH) return null
    const value: unknown = JSON.parse(text, harmless)
    return isObject(value) ? value : null
  } catch {
    return null
  }
}

const harmless = (key: string, value: unknown): unknown => {
  if (key === '__proto__' || key.includes('\0')) return undefined
  return typeof value === 'string' && value.includes('\0') ? null : value
}

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** An empty object where the value is none: absent, a text, a number, a list. */
export const objectOf = (value: unknown): JsonObject => (isObject(value) ? value : NO_OBJECT)

/** Counted without parsing, so that no parser has to go down there. */
function depthOf(text: string): number {
  let depth = 0
  let deepest = 0
  let isInText = false
  for (let at = 0; at < text.length; at++) {
    const char = text[at]
    if (isInText) {
      if (char === '\\') at++
      else if (char === '"') isInText = false
    } else if (char === '"') isInText = true
    else if (char === '{' || char === '[') deepest = Math.max(deepest, ++depth)
    else if (char === '}' || char === ']') depth--
  }
  return deepest
}
