import type { Tx } from '@svc/transact'
import { query } from './query.ts'

/** Lets the workers look at these lanes now. */
export async function wakeLanes(tx: Tx, lanes: ReadonlyArray<{ merchantId: string; isTest: boolean }>): Promise<void> {
  await query(
    tx,
    'SELECT wake_lanes($1::uuid[], $2::bool[], array_fill($3::timestamptz, ARRAY[cardinality($1::uuid[])]))',
    [lanes.map(({ merchantId }) => merchantId), lanes.map(({ isTest }) => isTest), tx.now],
  )
}
