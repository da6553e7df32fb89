import type { Expiry } from '@svc/lifecycle'
import type { Tx } from '@svc/transact'

/** The hold of a commission while its order is carried. */
export const reservationOf = (orderId: string) => ({ kind: 'assignment', id: orderId })

/** News of an order is on its way for seconds; an order of which none came for so long is over. */
const FORGOTTEN_AFTER = "interval '90 days'"

/** What the wallet forgets of orders. */
export const expiries: readonly Expiry[] = [{ table: 'carried_orders', age: 'told_at', keep: FORGOTTEN_AFTER }]

/**
 * Whether this is the newest version of the order that the wallet hears of. Until the transaction ends no other one
 * reserves or settles the commission of the order.
 */
export async function takeCarriedOrder(tx: Tx, orderId: string, version: number): Promise<boolean> {
  await tx.sql(`SELECT lock_subjects('commission', ARRAY[$1::uuid])`, [orderId])
  const { rowCount } = await tx.sql(
    `INSERT INTO carried_orders (order_id, version) VALUES ($1, $2)
     ON CONFLICT (order_id) DO UPDATE SET version = excluded.version, told_at = excluded.told_at
       WHERE carried_orders.version < excluded.version`,
    [orderId, version],
  )
  return rowCount === 1
}

/** How the commission of an order stands: reserved by an open hold, and paid or in escrow. */
export async function commissionStanding(
  tx: Tx,
  orderId: string,
): Promise<{ reservationId: string | null; isSettled: boolean }> {
  const { rows } = await tx.sql<{ reservationId: string | null; isSettled: boolean }>(
    `SELECT (SELECT id FROM holds WHERE subject_kind = 'assignment' AND subject_id = $1::uuid AND state = 'placed') AS "reservationId",
            EXISTS (SELECT FROM holds WHERE subject_kind = 'commission' AND subject_id = $1::uuid AND state = 'placed')
         OR EXISTS (SELECT FROM wallet_ops WHERE kind = 'commission' AND subject_id = $1::uuid::text AND outcome = 'applied')
            AS "isSettled"`,
    [orderId],
  )
  return rows[0]!
}

/** The reservation is for another rider from now on. */
export async function moveReservation(tx: Tx, id: string, riderId: string): Promise<void> {
  await tx.sql('UPDATE holds SET beneficiary_id = $2 WHERE id = $1 AND beneficiary_id <> $2', [id, riderId])
}

/** What a merchant can spend of live money; it stays so until the transaction ends. */
export async function lockAvailable(tx: Tx, merchantId: string, currency: string): Promise<number> {
  const { rows } = await tx.sql<{ purpose: string; free: number }>(
    `SELECT purpose, balance_minor - floor_minor AS free FROM accounts
      WHERE owner_kind = 'merchant' AND owner_id = $1 AND currency = $2 AND NOT is_test
      ORDER BY id FOR NO KEY UPDATE`,
    [merchantId, currency],
  )
  return rows.find(({ purpose }) => purpose === 'available')?.free ?? 0
}
