import type { FactMessage } from '@svc/kafka'
import type { Transact } from '@svc/transact'
import { enterInbox } from './admit.ts'

/**
 * Sets a fact aside that its consumer cannot handle; later facts of its aggregate will park behind it. Answers false, and
 * parks nothing, where the inbox has the fact: then it was handled. Waits for a transaction that is about to say so.
 */
export async function park(
  transact: Transact,
  consumer: string,
  fact: FactMessage,
  error: unknown,
  attempts: number,
): Promise<boolean> {
  const eventId = fact.headers['ce_id']
  return transact('every tenant', async (tx) => {
    // A read would not see what another replica has not committed yet; the key waits for it.
    if (!(await enterInbox(tx, consumer, eventId!))) return false
    await tx.sql('DELETE FROM inbox WHERE consumer = $1 AND event_id = $2', [consumer, eventId])
    await tx.sql(
      `INSERT INTO parked (consumer, aggregate_id, event_id, headers, payload, error, attempts)
       VALUES ($1, $2, $3, $4, $5, $6, $7)
       ON CONFLICT (consumer, event_id) DO UPDATE
         SET error = excluded.error, attempts = parked.attempts + excluded.attempts`,
      [consumer, fact.key, eventId, JSON.stringify(fact.headers), fact.payload, describe(error), attempts],
    )
    return true
  })
}

/** What the operator reads of a parked fact: the error, and what caused it. */
export function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const own = `${error.name}: ${error.message}`
  return error.cause === undefined ? own : `${own} (${describe(error.cause)})`
}
