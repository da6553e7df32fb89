import { OTP_TTL_SECONDS } from '../domain/otp.ts'

// What is said to phones. A code comes first: people and programs look for it there.

const VALID = `It is valid for ${OTP_TTL_SECONDS / 60} minutes.`
/** A merchant chooses its name; it is no place for a message of its own. */
const NAME_LENGTH = 40

const named = (business: string): string => {
  const plain = business.replace(/[^\p{L}\p{N} &'-]+/gu, ' ').trim()
  return plain.length > NAME_LENGTH ? `${plain.slice(0, NAME_LENGTH - 1)}…` : plain
}

export const loginSms = (code: string): string =>
  `${code} is your code to log in as a rider. Tell it to nobody. ${VALID}`

export const phoneSms = (code: string): string =>
  `${code} is the code that makes this phone the one of a rider's account. Tell it only who signs you up. ${VALID}`

/** To a rider who is asked into a fleet. */
export const inviteSms =
  (business: string) =>
  (code: string): string =>
    `${code} is the code with which you join the fleet of ${named(business)}. If you do not want to, tell it to nobody. ${VALID}`

/** To a customer. */
export const deliverySms = (code: string): string =>
  `${code} is your delivery code. Tell it to the rider who brings your order. ${VALID}`

/** What has happened to a rider's account. */
export type RiderNotice =
  | { about: 'joined_fleet'; merchantId: string }
  | { about: 'phone_moved'; last4: string }
  | { about: 'payout_changed'; last4: string }

export const joinedSms = (business: string): string =>
  `You now ride for ${named(business)}. You can leave the fleet in your app at any time.`

export const phoneMovedSms = (last4: string): string =>
  `Your rider account now has the phone that ends in ${last4}. Withdrawals are frozen for now. If this was not you, call support.`

export const payoutChangedSms = (last4: string): string =>
  `Your earnings are now paid to the bank account that ends in ${last4}. Withdrawals are frozen for now. If this was not you, call support.`
