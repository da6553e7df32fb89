import type { Database } from '@svc/database'
import type { Tx } from '@svc/transact'
import type { FaultKind, WebhookFault } from '../domain/webhook-fault.ts'
import { query } from './query.ts'

/** A fault, and how many deliveries have still to meet it. */
export interface FaultRow extends WebhookFault {
  remaining: number
}

/** The faults of the merchant's sandbox, in the order in which they are tried. */
export const findFaults = (tx: Pick<Tx, 'sql'>, merchantId: string): Promise<FaultRow[]> =>
  query<FaultRow>(
    tx,
    `SELECT kind, events, count, remaining, delay_ms AS "delayMs" FROM webhook_fault
      WHERE merchant_id = $1 ORDER BY position`,
    [merchantId],
  )

/** Puts these faults in the place of all of the merchant's. */
export async function replaceFaults(tx: Tx, merchantId: string, faults: readonly WebhookFault[]): Promise<void> {
  // Of two that replace them at the same time the later one's stand, and not some of each.
  await query(tx, 'SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`webhook_fault ${merchantId}`])
  await query(tx, 'DELETE FROM webhook_fault WHERE merchant_id = $1', [merchantId])
  const rows = faults.map(({ delayMs, ...fault }, position) => ({ ...fault, position, delay_ms: delayMs }))
  await query(
    tx,
    `INSERT INTO webhook_fault (merchant_id, position, kind, events, count, remaining, delay_ms)
     SELECT $1, position, kind, events, count, count, delay_ms
       FROM jsonb_to_recordset($2) AS f (position int, kind text, events text[], count int, delay_ms int)`,
    [merchantId, JSON.stringify(rows)],
  )
}

/**
 * The faults that these deliveries of sandboxes meet, none of which was tried before; null: none. What is kept back is no
 * longer leased; what another process has leased meanwhile is not among them.
 */
export async function takeFaults(
  { worker }: Pick<Database, 'worker'>,
  ids: readonly string[],
  lease: string,
): Promise<Map<string, FaultKind | null>> {
  if (ids.length === 0) return new Map()
  const { rows } = await worker.query<{ delivery_id: string; kind: FaultKind | null }>({
    name: 'take_faults',
    text: 'SELECT delivery_id, kind FROM take_faults($1, $2)',
    values: [ids, lease],
  })
  return new Map(rows.map(({ delivery_id, kind }) => [delivery_id, kind]))
}
