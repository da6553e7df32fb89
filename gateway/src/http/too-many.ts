import { ServiceError } from '@svc/errors'
import type { Usage } from './rate-limit.ts'

/** In the details of such an error. */
export const NOT_JUDGED = 'not_judged'
const LATER_SECONDS = 5

/** 503 for what was not judged in time, mostly because so much of its network is or waits to be: it may come again. */
export const notJudged = (): ServiceError =>
  new ServiceError('service_unavailable', { details: { reason: NOT_JUDGED }, retryAfterSeconds: LATER_SECONDS })

/** 429 that names the limit and says when to come back. */
export function tooMany({ limit, retryAfterSeconds }: Pick<Usage, 'limit' | 'retryAfterSeconds'>): ServiceError {
  if (!limit) return new ServiceError('rate_limited', { retryAfterSeconds })
  const rule = `the limit "${limit.name}" is ${limit.limit} in ${limit.windowSeconds} s`
  return new ServiceError('rate_limited', {
    message: `Too many requests: ${rule}. Try again in ${retryAfterSeconds} s.`,
    details: { limit: limit.name, quota: limit.limit, window_seconds: limit.windowSeconds },
    retryAfterSeconds,
  })
}
