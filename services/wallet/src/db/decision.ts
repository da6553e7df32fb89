import { ServiceError } from '@svc/errors'
import type { Decision } from '../domain/operation.ts'

/** What the posting functions answer. */
export interface DecisionRow {
  outcome: Decision['outcome'] | 'conflict'
  isReplay: boolean
  result: Decision['result']
}

/** The columns of such an answer. */
export const DECISION = 'outcome, is_replay AS "isReplay", result'

/** The decision in a row; throws idempotency_conflict where the key was used for something else. */
export function decisionOf({ outcome, isReplay, result }: DecisionRow): Decision {
  if (outcome === 'conflict') throw new ServiceError('idempotency_conflict')
  return { outcome, isReplay, result }
}
