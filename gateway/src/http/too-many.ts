import { ServiceError } from '@svc/errors'
import type { Usage } from './rate-limit.ts'

const CROWDED_SECONDS = 5

/** 503 for what was not judged at all, because so much of its network is or waits to be: it may come again. */
export const crowded = (): ServiceError =>
  new ServiceError('service_unavailable', { details: { full: 'network' }, retryAfterSeconds: CROWDED_SECONDS })

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
