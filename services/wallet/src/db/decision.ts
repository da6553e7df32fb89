import { ServiceError } from '@svc/errors'
import type { Decision } from '../domain/operation.ts'

/** What the posting functions answer. */
export interface DecisionRow {
  outcome: Decision['outcome'] | 'conflict'
  is_replay: boolean
  result: Decision['result']
}

const LOCK_NOT_AVAILABLE = '55P03'
const DEADLOCK = '40P01'

/** The decision in a row; throws idempotency_conflict where the key was used for something else. */
export function decisionOf({ outcome, is_replay, result }: DecisionRow): Decision {
  if (outcome === 'conflict') throw new ServiceError('idempotency_conflict')
  return { outcome, isReplay: is_replay, result }
}

/** Runs a posting; one that could not get its locks in time decided nothing, which the caller is told. */
export async function decided<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    const { code } = error as { code?: string }
    if (code !== LOCK_NOT_AVAILABLE && code !== DEADLOCK) throw error
    throw new ServiceError('service_unavailable', { retryAfterSeconds: 1, cause: error })
  }
}
