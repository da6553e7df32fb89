import { ServiceError } from '@svc/errors'
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

/** What was put aside for a shipment and is not closed yet; null: nothing. */
export async function heldOf(tx: Tx, shipmentId: string): Promise<number | null> {
  await tx.sql(`SELECT lock_subjects('shipment', ARRAY[$1::uuid])`, [shipmentId])
  const { rows } = await tx.sql<{ amountMinor: number }>(
    `SELECT amount_minor AS "amountMinor" FROM holds WHERE subject_kind = 'shipment' AND subject_id = $1 AND state = 'placed'`,
    [shipmentId],
  )
  return rows[0]?.amountMinor ?? null
}

const NOTHING_TO_HOLD = 'nothing_to_hold'

/**
 * Whether the placement was decided to need no hold: that stands, whatever the merchant pays by later. Throws for one that was
 * given up, before it was decided or after.
 */
export async function neededNothing(tx: Tx, opKey: string): Promise<boolean> {
  const { rows } = await tx.sql<Pick<Decision, 'outcome' | 'result'>>(
    'SELECT outcome, result FROM wallet_ops WHERE op_key = $1',
    [opKey],
  )
  const [earlier] = rows
  if (earlier && earlier.outcome !== 'declined') throw new ServiceError('invalid_state')
  return earlier?.result?.reason === NOTHING_TO_HOLD
}

/** Records that the placement needs no hold. */
export async function recordNothing(tx: Tx, opKey: string, merchantId: string): Promise<void> {
  await tx.sql(`SELECT FROM decline_operation($1, ''::bytea, 'hold', $2, $3)`, [opKey, merchantId, NOTHING_TO_HOLD])
}

/** Whether the merchant pays otherwise than by its wallet. */
export async function isSaas(tx: Tx, merchantId: string): Promise<boolean> {
  const { rows } = await tx.sql(`SELECT FROM merchants WHERE id = $1 AND merchant_tier = 'saas'`, [merchantId])
  return rows.length > 0
}

/** Keeps what of the hold is for which order: the same of every placement, for the prices of drafts do not change. */
export async function keepParts(tx: Tx, shipmentId: string, parts: readonly ShipmentPart[]): Promise<void> {
  await tx.sql(
    `INSERT INTO hold_parts (part_id, subject_kind, subject_id, amount_minor)
     SELECT part_id, 'shipment', $1, amount_minor FROM unnest($2::uuid[], $3::bigint[]) AS p (part_id, amount_minor)
     ON CONFLICT DO NOTHING`,
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
