import { ServiceError } from '@svc/errors'

export type UnauthorizedReason = 'missing' | 'invalid' | 'expired' | 'revoked'

const MESSAGES: Record<UnauthorizedReason, string> = {
  missing: 'Valid credentials are required.',
  invalid: 'The credentials are not valid here.',
  expired: 'The token has expired.',
  revoked: 'The credentials have been revoked.',
}

/** 401 with its reason. */
export const unauthorized = (reason: UnauthorizedReason): ServiceError =>
  new ServiceError('unauthorized', { message: MESSAGES[reason], details: { reason } })
