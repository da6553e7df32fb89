import { isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/min'

const LOCAL = /^0\d{10}$/
const E164 = /^\+[1-9]\d{6,14}$/

/** E.164 of an E.164 or Nigerian local number (0 and ten digits); null for what can be neither. */
export function normalizePhone(phone: string): string | null {
  if (LOCAL.test(phone)) return `+234${phone.slice(1)}`
  if (!E164.test(phone)) return null
  return parsePhoneNumberFromString(phone)?.isPossible() ? phone : null
}

/** E.164 of a number as it is dialled in a country, by its two letters; null for what is none there. */
export function localPhone(phone: string, country: string | undefined): string | null {
  if (country === undefined || !isSupportedCountry(country)) return null
  const found = parsePhoneNumberFromString(phone, country)
  return found?.isPossible() ? normalizePhone(found.number) : null
}
