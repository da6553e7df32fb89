import { createHash } from 'node:crypto'
import { SANDBOX_RIDER } from '@svc/credentials'
import { e164 } from '../bodies/phone.ts'
import type { Config } from '../config.ts'
import { networksOf } from './client-address.ts'

/** How many requests one key may make in a sliding window. */
export interface Limit {
  /** What is counted, for example `key:<id>` or `login:<address>`. */
  key: string
  /** Name in the RateLimit headers. */
  name: string
  limit: number
  windowSeconds: number
}

type Setting = Extract<keyof Config, `rate${string}`>

/** One limit of a public route: per client address unless it says otherwise. */
export interface PublicLimit {
  name: string
  setting: Setting
  windowSeconds: number
  /** Path parameter that is counted in place of the address. */
  param?: string
}

/** The signer of hooks that is no merchant. */
export const PLATFORM = 'platform'

const MINUTE = 60
const HOUR = 3600

export const LOGIN: readonly PublicLimit[] = [
  { name: 'login', setting: 'rateLoginPerMinute', windowSeconds: MINUTE },
  { name: 'login-hour', setting: 'rateLoginPerHour', windowSeconds: HOUR },
]
export const SIGNUP: readonly PublicLimit[] = [{ name: 'signup', setting: 'rateSignupPerHour', windowSeconds: HOUR }]
export const PASSWORD_RESET: readonly PublicLimit[] = [
  { name: 'password-reset', setting: 'ratePasswordResetPerHour', windowSeconds: HOUR },
]
export const EMAIL_VERIFICATION: readonly PublicLimit[] = [
  { name: 'email-verification', setting: 'rateEmailVerificationPerHour', windowSeconds: HOUR },
]
export const ACCOUNT_TOKEN: readonly PublicLimit[] = [
  { name: 'account-token', setting: 'rateAccountTokenPerMinute', windowSeconds: MINUTE },
]
export const CONTACT: readonly PublicLimit[] = [{ name: 'contact', setting: 'rateContactPerHour', windowSeconds: HOUR }]
export const CAPTURE_CONFIG: readonly PublicLimit[] = [
  { name: 'capture-config', setting: 'rateCaptureConfigPerMinute', windowSeconds: MINUTE },
]
export const REFRESH: readonly PublicLimit[] = [
  { name: 'refresh', setting: 'rateRefreshPerMinute', windowSeconds: MINUTE },
]
export const ADMIN_TOKEN: readonly PublicLimit[] = [
  { name: 'admin-token', setting: 'rateAdminTokenPerMinute', windowSeconds: MINUTE },
]
export const SIGN_ON_STATUS: readonly PublicLimit[] = [
  { name: 'sign-on-status', setting: 'rateSignOnStatusPerMinute', windowSeconds: MINUTE },
]
/** Each log-in counts twice: it is begun, and it comes back. */
export const SIGN_ON: readonly PublicLimit[] = [
  { name: 'sign-on', setting: 'rateSignOnPerMinute', windowSeconds: MINUTE },
]
export const TRACKING: readonly PublicLimit[] = [
  { name: 'tracking', setting: 'rateTrackingPerMinute', windowSeconds: MINUTE },
  { name: 'tracking-token', setting: 'rateTrackingTokenPerMinute', windowSeconds: MINUTE, param: 'token' },
]

export const RIDER_REGISTER: readonly PublicLimit[] = [
  { name: 'rider-register', setting: 'rateRiderRegisterPerHour', windowSeconds: HOUR },
]
export const INVITE_REDEEM: readonly PublicLimit[] = [
  { name: 'invite-redeem', setting: 'rateInviteRedeemPerMinute', windowSeconds: MINUTE },
]
export const FARE_PREVIEW: readonly PublicLimit[] = [
  { name: 'fare-preview', setting: 'rateFarePreviewPerMinute', windowSeconds: MINUTE },
]

/** A limit of a route by who calls. */
export interface CallerLimit {
  name: string
  setting: Setting
  windowSeconds: number
  /** Who is counted: the one credential, or all of the merchant's together. */
  by: 'credential' | 'merchant'
}

/** Each costs two hashes and a mail, whether or not it succeeds. */
export const PASSWORD_CHANGE: CallerLimit = {
  name: 'password-change',
  setting: 'ratePasswordChangePerHour',
  windowSeconds: HOUR,
  by: 'credential',
}
/** Each makes work for as many orders and deliveries as the sandbox has. */
export const CLOCK_ADVANCE: CallerLimit = {
  name: 'clock-advance',
  setting: 'rateClockAdvancePerMinute',
  windowSeconds: MINUTE,
  by: 'merchant',
}

/** A limit of a route as it counts this caller. */
export function callerLimits(
  { name, setting, windowSeconds, by }: CallerLimit,
  config: Config,
  caller: Readonly<Partial<Record<'credential' | 'merchantId', string>>>,
): Limit[] {
  const counted = by === 'merchant' ? caller.merchantId : caller.credential
  return counted === undefined ? [] : [{ name, key: `${name}:${counted}`, limit: config[setting], windowSeconds }]
}

/** The limits of a public route that depend on what was sent, as they count this request. */
export type BodyLimits = (body: Sent, config: Config, address: string) => readonly Limit[]

/** Of what was sent, what they may count: the route's body demands it. */
interface Sent {
  phone: string
  email: string
  /** The field that people leave empty, where the route has it: nothing is mailed for a request that fills it. */
  website?: string
}

/** Mails to one address, however it is spelt and whether or not it has an account; Redis holds no addresses. */
const perEmail = (name: string, setting: Setting): BodyLimits => {
  return ({ email, website }, config) => {
    if (website) return []
    const digest = createHash('sha256').update(email.trim().toLowerCase()).digest('base64url')
    return [{ name, key: `${name}:${digest}`, limit: config[setting], windowSeconds: HOUR }]
  }
}

export const PASSWORD_RESET_EMAIL = perEmail('password-reset-email', 'ratePasswordResetEmailPerHour')
export const EMAIL_VERIFICATION_EMAIL = perEmail('email-verification-email', 'rateEmailVerificationEmailPerHour')

/** Codes by SMS, per address; dispatch counts them per phone. The sandbox rider's are free: all merchants share it. */
export const RIDER_OTP: BodyLimits = (body, config, address) =>
  e164(body.phone) === SANDBOX_RIDER.phone
    ? []
    : perNetwork(address, { name: 'rider-otp', limit: config.rateRiderOtpPerHour, windowSeconds: HOUR })

/** Log-ins of riders, again without the sandbox rider's. */
export const RIDER_LOGIN: BodyLimits = (body, config, address) =>
  e164(body.phone) === SANDBOX_RIDER.phone ? [] : publicLimits(LOGIN, config, address, {})

/** The limits of a public route as they count this request. */
export function publicLimits(
  limits: readonly PublicLimit[],
  config: Config,
  address: string,
  params: Readonly<Record<string, string>>,
): Limit[] {
  return limits.flatMap(({ name, setting, windowSeconds, param }) => {
    const limit = { name, limit: config[setting], windowSeconds }
    return param ? [{ ...limit, key: `${name}:${params[param]}` }] : perNetwork(address, limit)
  })
}

/** A limit per address, as it counts the networks of one; that of the wider one is told by a name of its own. */
const perNetwork = (address: string, { name, limit, windowSeconds }: Omit<Limit, 'key'>): Limit[] =>
  networksOf(address).map(({ network, times }) => ({
    key: `${name}:${network}`,
    name: times === 1 ? name : `${name}-network`,
    limit: limit * times,
    windowSeconds,
  }))

const perMinute = (key: string, name: string, limit: number): Limit[] => [{ key, name, limit, windowSeconds: MINUTE }]

/** API keys that were looked up and are not good, by where they came from. */
export const unknownKeys = (config: Config, address: string): Limit[] =>
  perNetwork(address, { name: 'unknown-keys', limit: config.rateUnknownKeysPerMinute, windowSeconds: MINUTE })

/** Full while a key was found good within the hour; `digest` is of its secret, so that nobody else's guess is that key. */
export const goodKey = (digest: string): Limit[] => [
  { key: `good-key:${digest}`, name: 'good-key', limit: 1, windowSeconds: HOUR },
]

/** Calls of a provisioning service, by where they come from, before their token is read. */
export const scimCalls = (config: Config, address: string): Limit[] =>
  perNetwork(address, { name: 'scim', limit: config.rateScimPerMinute, windowSeconds: MINUTE })

/** Access tokens that opened no socket, by where they came from. */
export const refusedSocketTokens = (config: Config, address: string): Limit[] =>
  perNetwork(address, { name: 'sockets-refused', limit: config.rateSocketsRefusedPerMinute, windowSeconds: MINUTE })

/** Hooks whose signature was refused, by where they came from. */
export const refusedHooks = (config: Config, address: string): Limit[] =>
  perNetwork(address, { name: 'hooks-refused', limit: config.rateHooksRefusedPerMinute, windowSeconds: MINUTE })

/** Hooks whose signature was right, by whose secret made it: the platform's or a merchant's own. */
export const signedHooks = (config: Config, signer: string): Limit[] => {
  const limit = signer === PLATFORM ? config.rateHooksPlatformPerMinute : config.rateHooksPerMinute
  return perMinute(`hooks:${signer}`, 'hooks', limit)
}

/** An API key, of one merchant and environment. */
interface Key {
  keyId: string
  merchantId: string
  isTest: boolean
}

/**
 * An API key and every token minted from it share one budget. All keys of a merchant's environment share a ceiling too:
 * its room does not grow with the keys that it makes.
 */
export const keyLimits = (config: Config, { keyId, merchantId, isTest }: Key): Limit[] => [
  ...perMinute(`key:${keyId}`, 'key', isTest ? config.rateTestKeyPerMinute : config.rateLiveKeyPerMinute),
  ...perMinute(
    `merchant:${isTest ? 'test' : 'live'}:${merchantId}`,
    'merchant',
    isTest ? config.rateTestMerchantPerMinute : config.rateLiveMerchantPerMinute,
  ),
]

export const userLimits = (config: Config, userId: string) =>
  perMinute(`user:${userId}`, 'user', config.rateUserPerMinute)

export const adminLimits = (config: Config, operator: string) => perMinute(operator, 'admin', config.rateAdminPerMinute)

/** All merchants share the sandbox rider, which has no limit. */
export const riderLimits = (config: Config, riderId: string) =>
  riderId === SANDBOX_RIDER.id ? [] : perMinute(`rider:${riderId}`, 'rider', config.rateRiderPerMinute)
