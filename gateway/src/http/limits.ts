import type { Config } from '../config.ts'

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

/** One limit of a public route: per client address, or per value of a path parameter. */
export interface PublicLimit {
  name: string
  setting: Setting
  windowSeconds: number
  /** Path parameter that is counted in place of the address. */
  param?: string
}

const MINUTE = 60
const HOUR = 3600

export const LOGIN: readonly PublicLimit[] = [
  { name: 'login', setting: 'rateLoginPerMinute', windowSeconds: MINUTE },
  { name: 'login-hour', setting: 'rateLoginPerHour', windowSeconds: HOUR },
]
export const SIGNUP: readonly PublicLimit[] = [{ name: 'signup', setting: 'rateSignupPerHour', windowSeconds: HOUR }]
export const REFRESH: readonly PublicLimit[] = [
  { name: 'refresh', setting: 'rateRefreshPerMinute', windowSeconds: MINUTE },
]
export const ADMIN_TOKEN: readonly PublicLimit[] = [
  { name: 'admin-token', setting: 'rateAdminTokenPerMinute', windowSeconds: MINUTE },
]
export const TRACKING: readonly PublicLimit[] = [
  { name: 'tracking', setting: 'rateTrackingPerMinute', windowSeconds: MINUTE },
  { name: 'tracking-token', setting: 'rateTrackingTokenPerMinute', windowSeconds: MINUTE, param: 'token' },
]

/** The limits of a public route as they count this request. */
export function publicLimits(
  limits: readonly PublicLimit[],
  config: Config,
  address: string,
  params: Readonly<Record<string, string>>,
): Limit[] {
  return limits.map(({ name, setting, windowSeconds, param }) => ({
    key: `${name}:${param ? params[param] : address}`,
    name,
    limit: config[setting],
    windowSeconds,
  }))
}

const perMinute = (key: string, name: string, limit: number): Limit[] => [{ key, name, limit, windowSeconds: MINUTE }]

/** An API key and every token minted from it share one budget. */
export const keyLimits = (config: Config, keyId: string, isTest: boolean) =>
  perMinute(`key:${keyId}`, 'key', isTest ? config.rateTestKeyPerMinute : config.rateLiveKeyPerMinute)

export const userLimits = (config: Config, userId: string) =>
  perMinute(`user:${userId}`, 'user', config.rateUserPerMinute)

export const adminLimits = (config: Config, operator: string) => perMinute(operator, 'admin', config.rateAdminPerMinute)
