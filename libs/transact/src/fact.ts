import type { FactName, PayloadOf } from '@svc/contracts/facts'

/** Something that happened to an aggregate, to be announced once its transaction has committed. */
export interface Fact<N extends FactName> {
  type: N
  aggregateId: string
  /** Rises by one with each fact of the aggregate, under the lock of its row. */
  aggregateVersion: number
  merchantId: string | null
  isTest: boolean
  payload: PayloadOf<N>
  /** Defaults to eventIdOf(aggregateId, type, aggregateVersion). */
  eventId?: string
  /** The trace to continue; defaults to the active span. */
  traceparent?: string
}
