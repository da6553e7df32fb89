import { ServiceError } from '@svc/errors'

/** The 401 that tells a client why: a wrong credential, one out of time, or one that was ended. */
export function unauthorized(reason: 'missing' | 'invalid' | 'expired' | 'revoked'): ServiceError {
  return new ServiceError('unauthorized', { details: { reason } })
}
