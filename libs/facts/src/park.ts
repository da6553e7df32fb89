import type { FactMessage } from '@svc/kafka'
import type { Transact } from '@svc/transact'

/** Sets a fact aside that its consumer cannot handle; later facts of its aggregate will park behind it. */
export async function park(
  transact: Transact,
  consumer: string,
  fact: FactMessage,
  error: unknown,
  attempts: number,
): Promise<void> {
  await transact('every tenant', (tx) =>
    tx.sql(
      `INSERT INTO parked (consumer, aggregate_id, event_id, headers, payload, error, attempts)
       VALUES ($1, $2, $3, $4, $5, $6, $7)
       ON CONFLICT (consumer, event_id) DO UPDATE
         SET error = excluded.error, attempts = parked.attempts + excluded.attempts`,
      [
        consumer,
        fact.key,
        fact.headers['ce_id'],
        JSON.stringify(fact.headers),
        fact.payload,
        describe(error),
        attempts,
      ],
    ),
  )
}

/** What the operator reads of a parked fact: the error, and what caused it. */
export function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const own = `${error.name}: ${error.message}`
  return error.cause === undefined ? own : `${own} (${describe(error.cause)})`
}
