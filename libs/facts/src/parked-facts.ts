import type pg from 'pg'

/** A fact that was set aside and waits for an operator. */
export interface ParkedFact {
  /** The consumer that could not handle it, or `relay`: Kafka would not take it. */
  parked_by: string
  event_id: string
  type: string
  aggregate_id: string
  /** Null for a fact that only waits behind an earlier one of its aggregate. */
  error: string | null
  since: Date
}

export const RELAY = 'relay'

/** Every parked fact of a service; those of one aggregate in the order in which they must take effect. */
export async function parkedFacts(worker: pg.Pool): Promise<ParkedFact[]> {
  const { rows } = await worker.query<ParkedFact>(
    `SELECT parked_by, event_id, type, aggregate_id, error, since FROM (
       SELECT '${RELAY}', event_id, type, aggregate_id, format('Kafka refuses its %s bytes', length(payload)), parked_at, seq
         FROM outbox WHERE parked_at IS NOT NULL
        UNION ALL
       SELECT consumer, event_id, headers->>'ce_type', aggregate_id, error, first_at, seq
         FROM parked WHERE resolved_at IS NULL
     ) AS fact (parked_by, event_id, type, aggregate_id, error, since, seq) ORDER BY parked_by, seq`,
  )
  return rows
}
