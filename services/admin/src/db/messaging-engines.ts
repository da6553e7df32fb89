import type { OrmTx, Tx } from '@svc/transact'
import { Merchant } from '../domain/merchant.ts'

const BATCH = 500

/** How many merchants have another engine than this one. */
export async function countOtherEngines(tx: Tx, engine: Merchant['messagingEngine']): Promise<number> {
  const { rows } = await tx.sql<{ count: number }>(
    'SELECT count(*)::int AS count FROM merchants WHERE messaging_engine <> $1',
    [engine],
  )
  return rows[0]?.count ?? 0
}

/** Gives the next merchants that have another one this engine, in the order of their ids from behind `after` on. */
export async function setNextEngines(
  tx: OrmTx,
  engine: Merchant['messagingEngine'],
  after: string | undefined,
): Promise<Merchant[]> {
  const { rows } = await tx.sql<{ id: string }>(
    `WITH next AS (
       SELECT id FROM merchants WHERE messaging_engine <> $1 AND ($2::uuid IS NULL OR id > $2) ORDER BY id LIMIT ${BATCH}
          FOR NO KEY UPDATE)
     UPDATE merchants SET messaging_engine = $1, version = version + 1, updated_at = $3
       FROM next WHERE merchants.id = next.id RETURNING merchants.id`,
    [engine, after ?? null, tx.now],
  )
  return tx.em.find(Merchant, { id: { $in: rows.map(({ id }) => id) } }, { orderBy: { id: 'asc' } })
}
