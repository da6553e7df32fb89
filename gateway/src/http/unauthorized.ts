import { ServiceError } from '@svc/errors'

export type UnauthorizedReason = 'missing' | 'invalid' | 'expired' | 'revoked'

const MESSAGES: Record<UnauthorizedReason, string> = {
  missing:
    'Send a credential: "Authorization: Bearer" with an API key (svc_test_… or svc_live_…) or a token. See /docs/guides/authentication.',
  invalid: 'The credentials are not valid here.',
  expired: 'The token has expired.',
  revoked: 'The credentials have been revoked.',
}

/** What is wrong with the form of a credential: anybody who has it can compute that much. */
export type CredentialProblem = 'scheme' | 'not_a_key' | 'checksum'

const PROBLEMS: Record<CredentialProblem, string> = {
  scheme: 'Authorization must be "Bearer", one space, and a key or a token.',
  not_a_key:
    'This is no API key: one begins with svc_test_ or svc_live_ and is 60 characters long. Look whether it was cut.',
  checksum: 'This API key has a wrong character in it: its checksum does not hold.',
}

/** 401 with its reason. */
export const unauthorized = (reason: UnauthorizedReason): ServiceError =>
  new ServiceError('unauthorized', { message: MESSAGES[reason], details: { reason } })

/** 401 for a credential that was not even looked up. */
export const malformed = (problem: CredentialProblem): ServiceError =>
  new ServiceError('unauthorized', { message: PROBLEMS[problem], details: { reason: 'invalid', problem } })
