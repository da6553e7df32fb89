import { ERRORS, type ErrorCode } from './table.ts'

/**
 * What an answer says of who answered: `ok`; `client`, who asked for it; `refused`, which the operator chose by a switch or a
 * setting; `server`, the one that counts against what is promised.
 */
export type Outcome = 'ok' | 'client' | 'refused' | 'server'

export function outcomeOf(code: ErrorCode | 'ok'): Outcome {
  if (code === 'ok') return 'ok'
  const { http, grpc } = ERRORS[code]
  if (http < 500) return 'client'
  return grpc === 'FAILED_PRECONDITION' || grpc === 'UNIMPLEMENTED' ? 'refused' : 'server'
}
