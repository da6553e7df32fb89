import type { FactMessage } from '@svc/kafka'
import type { Tx } from '@svc/transact'

/**
 * Records the facts in the inbox and returns those that are new, in their order. A fact whose aggregate has an open
 * parked fact is parked behind it instead. Must be the first statement of its transaction: it waits for a replay.
 */
export async function admit<F extends FactMessage>(tx: Tx, consumer: string, facts: readonly F[]): Promise<F[]> {
  const { rows } = await tx.sql<{ event_id: string | null; aggregate_id: string | null }>(ADMIT, [
    consumer,
    facts.map((fact) => fact.headers['ce_id']),
    facts.map((fact) => fact.key),
  ])
  const fresh = new Set(rows.map((row) => row.event_id))
  const blocked = new Set(rows.map((row) => row.aggregate_id))
  const waiting = facts.filter((fact) => blocked.has(fact.key))
  if (waiting.length > 0) await parkBehind(tx, consumer, waiting)
  // Set.delete: a fact that came twice in one batch is handled once.
  return facts.filter((fact) => fresh.delete(fact.headers['ce_id']!))
}

/** Records one fact in the inbox; false where it is there already, and was thus handled. */
export async function enterInbox(tx: Tx, consumer: string, eventId: string): Promise<boolean> {
  const { rowCount } = await tx.sql('INSERT INTO inbox (consumer, event_id) VALUES ($1, $2) ON CONFLICT DO NOTHING', [
    consumer,
    eventId,
  ])
  return rowCount > 0
}

const ADMIT = `
  WITH blocked AS MATERIALIZED (
    SELECT aggregate_id FROM parked
     WHERE consumer = $1 AND aggregate_id = ANY($3::uuid[]) AND resolved_at IS NULL FOR SHARE
  ), fresh AS (
    INSERT INTO inbox (consumer, event_id)
    SELECT $1, event_id FROM unnest($2::uuid[], $3::uuid[]) AS fact (event_id, aggregate_id)
     WHERE aggregate_id NOT IN (SELECT aggregate_id FROM blocked)
    ON CONFLICT DO NOTHING RETURNING event_id
  )
  SELECT event_id, NULL::uuid AS aggregate_id FROM fresh
  UNION ALL SELECT NULL, aggregate_id FROM blocked`

async function parkBehind(tx: Tx, consumer: string, facts: readonly FactMessage[]): Promise<void> {
  await tx.sql(
    `INSERT INTO parked (consumer, aggregate_id, event_id, headers, payload)
     SELECT $1, aggregate_id, event_id, headers, payload
       FROM unnest($2::uuid[], $3::uuid[], $4::jsonb[], $5::bytea[]) AS fact (aggregate_id, event_id, headers, payload)
      WHERE NOT EXISTS (SELECT 1 FROM inbox WHERE inbox.consumer = $1 AND inbox.event_id = fact.event_id)
     ON CONFLICT DO NOTHING`,
    [
      consumer,
      facts.map((fact) => fact.key),
      facts.map((fact) => fact.headers['ce_id']),
      facts.map((fact) => JSON.stringify(fact.headers)),
      facts.map((fact) => fact.payload),
    ],
  )
}
