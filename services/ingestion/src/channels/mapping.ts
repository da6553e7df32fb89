import { isExactNumber, type JsonObject } from '@svc/exact-json'
import { localPhone, normalizePhone } from '@svc/phone'

/** The longest that an id of a third party may be, as of the public contract. */
const MAX_ID = 512

const NO_OBJECT: JsonObject = {}

/** An empty object where the value is none. */
export const objectIn = (value: unknown): JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !isExactNumber(value)
    ? (value as JsonObject)
    : NO_OBJECT

/** The objects of a list; none where it is no list. */
export const objectsIn = (value: unknown): JsonObject[] =>
  Array.isArray(value) ? value.filter((each) => objectIn(each) === each) : []

/** A text or a number as text, without what no line of an address holds; null where it is empty or something else. */
export function textIn(value: unknown): string | null {
  const text = typeof value === 'string' ? value : typeof value === 'number' ? String(value) : digitsIn(value)
  const clean = text?.replaceAll(/[^\P{Cc}\n\t]/gu, ' ').trim()
  return clean ? clean : null
}

/** The first that is a text. */
export const firstText = (...values: unknown[]): string | null => {
  for (const value of values) {
    const text = textIn(value)
    if (text !== null) return text
  }
  return null
}

/** No longer than that, and no surrogate cut in two. */
export const cutTo = (text: string, most: number): string =>
  text.length <= most
    ? text
    : text
        .slice(0, most)
        .toWellFormed()
        .replace(/\ufffd$/, '')

const digitsIn = (value: unknown): string | null =>
  typeof value === 'object' && value !== null && isExactNumber(value) ? value.rawJSON : null

/** Up to here a whole number is written without an exponent. */
const PLAIN = 1e21

/**
 * The id of an order, digit for digit: a whole number of any length, or a text. A number that parseExact left as one is
 * written as it was spelt, also beyond the safe integers.
 */
export function idIn(value: unknown): string | null {
  if (typeof value === 'number') return Number.isInteger(value) && Math.abs(value) < PLAIN ? String(value) : null
  const text = digitsIn(value) ?? textIn(value)
  return text !== null && text.length <= MAX_ID ? text : null
}

const NUMBER = /^-?\d{1,30}(\.\d{1,30})?$/

/** A number, also where it is spelt as a text; null where it is none. */
export function numberIn(value: unknown): number | null {
  const text = textIn(value)
  return text !== null && NUMBER.test(text) ? Number(text) : null
}

/** Currencies of which the minor unit is not the hundredth part. */
const EXPONENTS: Readonly<Record<string, number>> = {
  ...Object.fromEntries(
    'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'.split(' ').map((code) => [code, 0]),
  ),
  ...Object.fromEntries('BHD IQD JOD KWD LYD OMR TND'.split(' ').map((code) => [code, 3])),
}

/** An amount in major units, in minor units: digit by digit, as no double holds it. Null for what is no amount. */
export function minorIn(value: unknown, currency: string | null): number | null {
  const text = textIn(value)
  if (text === null || !/^\d{1,15}(\.\d{1,20})?$/.test(text)) return null
  const exponent = EXPONENTS[currency ?? ''] ?? 2
  const [whole = '0', fraction = ''] = text.split('.')
  if (/[1-9]/.test(fraction.slice(exponent))) return null
  const minor = Number(whole + fraction.slice(0, exponent).padEnd(exponent, '0'))
  return Number.isSafeInteger(minor) ? minor : null
}

export function currencyIn(value: unknown): string | null {
  const text = textIn(value)
  return text !== null && /^[A-Za-z]{3}$/.test(text) ? text.toUpperCase() : null
}

/** An instant; of a time without a zone it is UTC. */
export function instantIn(value: unknown): Date | null {
  const text = textIn(value)
  if (text === null || !/^\d{4}-\d\d-\d\d[T ]\d\d:\d\d/.test(text) || text.length > 40) return null
  const iso = text.replace(' ', 'T').replace(/([+-]\d\d)$/, '$1:00')
  const instant = new Date(/(Z|[+-]\d\d:?\d\d)$/i.test(iso) ? iso : `${iso}Z`)
  const year = instant.getUTCFullYear()
  return year >= 1970 && year <= 9999 ? instant : null
}

/** The first of the values that is a number, in E.164; local ones are of that country. Null where none is. */
export function phoneIn(country: unknown, ...values: unknown[]): string | null {
  const code = textIn(country)?.toUpperCase()
  for (const value of values) {
    const text = textIn(value)
    if (text === null || text.length > 40 || /[^\d\s().+/-]/.test(text)) continue
    const digits = text.replaceAll(/[^\d+]/g, '').replace(/^00/, '+')
    const phone = normalizePhone(digits) ?? localPhone(digits, code)
    if (phone !== null) return phone
  }
  return null
}

const [MIN_ADDRESS, MAX_ADDRESS] = [3, 500]

/** The lines of an address that hold something, in one; null where they are none to go to. */
export function addressIn(...lines: unknown[]): string | null {
  const address = lines
    .map(textIn)
    .filter((line) => line !== null)
    .join(', ')
    .replaceAll(/\s+/g, ' ')
  return address.length >= MIN_ADDRESS ? cutTo(address, MAX_ADDRESS) : null
}
