import { parsePhoneNumberFromString } from 'libphonenumber-js/min'

const LOCAL = /^0\d{10}$/
const E164 = /^\+[1-9]\d{6,14}$/

/** E.164 of an E.164 or Nigerian local number (0 and ten digits); null for what can be neither. */
export function normalizePhone(phone: string): string | null {
  if (LOCAL.test(phone)) return `+234${phone.slice(1)}`
  if (!E164.test(phone)) return null
  return parsePhoneNumberFromString(phone)?.isPossible() ? phone : null
}
