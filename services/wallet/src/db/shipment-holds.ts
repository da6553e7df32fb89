import type { Tx } from '@svc/transact'
import type { Decision } from '../domain/operation.ts'
import { DECISION, type DecisionRow, decisionOf } from './decision.ts'

/** What is held for one order of a shipment. */
export interface ShipmentPart {
  orderId: string
  amountMinor: number
}

/** The hold of a shipment. */
export const shipmentOf = (shipmentId: string) => ({ kind: 'shipment', id: shipmentId })

/** What was ever held for a shipment: of one shipment at most one placement succeeds. */
export async function heldOf(tx: Tx, shipmentId: string): Promise<number | null> {
  await tx.sql(`SELECT lock_subjects('shipment', ARRAY[$1::uuid])`, [shipmentId])
  const { rows } = await tx.sql<{ amountMinor: number }>(
    `SELECT amount_minor AS "amountMinor" FROM holds WHERE subject_kind = 'shipment' AND subject_id = $1`,
    [shipmentId],
  )
  return rows[0]?.amountMinor ?? null
}

/** Whether the merchant pays otherwise than by its wallet. */
export async function isSaas(tx: Tx, merchantId: string): Promise<boolean> {
  const { rows } = await tx.sql(`SELECT FROM merchants WHERE id = $1 AND merchant_tier = 'saas'`, [merchantId])
  return rows.length > 0
}

/** Keeps what of the hold is for which order. */
export async function keepParts(tx: Tx, shipmentId: string, parts: readonly ShipmentPart[]): Promise<void> {
  await tx.sql(
    `INSERT INTO hold_parts (part_id, subject_kind, subject_id, amount_minor)
     SELECT part_id, 'shipment', $1, amount_minor FROM unnest($2::uuid[], $3::bigint[]) AS p (part_id, amount_minor)`,
    [shipmentId, parts.map(({ orderId }) => orderId), parts.map(({ amountMinor }) => amountMinor)],
  )
}

/** Gives back what is held for an order, once. */
export async function releasePart(tx: Tx, orderId: string): Promise<Decision> {
  const { rows } = await tx.sql<DecisionRow>(`SELECT ${DECISION} FROM release_hold_part($1)`, [orderId])
  return decisionOf(rows[0]!)
}

/** What is still held for an order by its shipment; it stays so until the transaction ends. */
export async function heldFor(tx: Tx, orderId: string): Promise<number> {
  await tx.sql(`SELECT lock_subjects(subject_kind, ARRAY[subject_id]) FROM hold_parts WHERE part_id = $1`, [orderId])
  const { rows } = await tx.sql<{ amountMinor: number }>(
    `SELECT p.amount_minor AS "amountMinor" FROM hold_parts p JOIN holds h USING (subject_kind, subject_id)
      WHERE p.part_id = $1::uuid AND h.state = 'placed'
        AND NOT EXISTS (SELECT FROM wallet_ops WHERE kind = 'hold_part' AND subject_id = $1::uuid::text AND outcome = 'applied')`,
    [orderId],
  )
  return rows[0]?.amountMinor ?? 0
}
