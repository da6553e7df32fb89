import type { Tx } from '@svc/transact'
import { enterInbox } from './admit.ts'
import type { Handling } from './handle-facts.ts'
import { describe } from './park.ts'
import { receivedFact } from './received-fact.ts'

interface ParkedRow {
  event_id: string
  aggregate_id: string
  headers: Record<string, string>
  payload: Buffer
}

/**
 * Handles the parked facts of an aggregate in their order, each in its own transaction. Stops at the first that fails,
 * which stays parked with its new error; returns how many were handled.
 */
export async function replayParked<C>(handling: Handling<C>, aggregateId: string): Promise<number> {
  let replayed = 0
  while (await replayNext(handling, aggregateId)) replayed += 1
  return replayed
}

async function replayNext<C>(handling: Handling<C>, aggregateId: string): Promise<boolean> {
  const { transact, consumer, context } = handling
  let current: string | undefined
  try {
    return await transact('every tenant', async (tx) => {
      const row = await lockNext(tx, consumer.name, aggregateId)
      if (!row) return false
      current = row.event_id
      const fact = { key: row.aggregate_id, headers: row.headers, payload: row.payload }
      // What the inbox has took effect already: nothing is left to do about it.
      if (await enterInbox(tx, consumer.name, row.event_id)) await consumer.handle([receivedFact(fact)], tx, context)
      await tx.sql('UPDATE parked SET resolved_at = clock_timestamp() WHERE consumer = $1 AND event_id = $2', [
        consumer.name,
        row.event_id,
      ])
      return true
    })
  } catch (error) {
    if (current !== undefined) await recordFailure(handling, current, error)
    throw error
  }
}

/** While the row is locked no later fact of the aggregate overtakes it: admission waits for the lock. */
async function lockNext(tx: Tx, consumer: string, aggregateId: string): Promise<ParkedRow | undefined> {
  const { rows } = await tx.sql<ParkedRow>(
    `SELECT event_id, aggregate_id, headers, payload FROM parked
      WHERE consumer = $1 AND aggregate_id = $2 AND resolved_at IS NULL ORDER BY seq LIMIT 1 FOR UPDATE`,
    [consumer, aggregateId],
  )
  return rows[0]
}

async function recordFailure<C>({ transact, consumer }: Handling<C>, eventId: string, error: unknown): Promise<void> {
  await transact('every tenant', (tx) =>
    tx.sql('UPDATE parked SET error = $3, attempts = attempts + 1 WHERE consumer = $1 AND event_id = $2', [
      consumer.name,
      eventId,
      describe(error),
    ]),
  )
}
