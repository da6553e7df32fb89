import type { Tx } from '@svc/transact'

/** What one operator gives another. */
export type Given = 'identity' | 'role' | 'password'

/** Keeps who gave an operator what, for good. */
export async function keepMaker(tx: Tx, operatorId: string, makerId: string, given: readonly Given[]): Promise<void> {
  await tx.sql(
    `INSERT INTO operator_makers (operator_id, maker_id, gave, at)
     SELECT $1, $2, gave, $4 FROM unnest($3::text[]) AS gave ON CONFLICT DO NOTHING`,
    [operatorId, makerId, given, tx.now],
  )
}

/** All who gave the operator any of that, directly or through others, deleted ones included; by default anything. */
export async function makersOf(
  tx: Tx,
  operatorId: string,
  given: readonly Given[] = ['identity', 'role', 'password'],
): Promise<Set<string>> {
  const { rows } = await tx.sql<{ maker_id: string }>(
    `WITH RECURSIVE maker (maker_id) AS (
       SELECT maker_id FROM operator_makers WHERE operator_id = $1 AND gave = ANY ($2)
       UNION SELECT m.maker_id FROM operator_makers m JOIN maker ON m.operator_id = maker.maker_id AND m.gave = ANY ($2))
     SELECT maker_id FROM maker WHERE maker_id <> $1`,
    [operatorId, given],
  )
  return new Set(rows.map(({ maker_id }) => maker_id))
}
