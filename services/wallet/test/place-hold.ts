import type { Tx } from '@svc/transact'
import { DECISION, type DecisionRow, decisionOf } from '../src/db/decision.ts'
import type { HoldSubject } from '../src/db/holds.ts'
import { factValues } from '../src/db/post-operation.ts'
import { type Decision, type EntryType, type Owner, requestHash } from '../src/domain/operation.ts'

interface NewHold {
  opKey: string
  subject: HoldSubject
  merchantId: string
  isTest: boolean
  currency: string
  orderId?: string
  payer: Owner
  /** The rider whom it is for, where that is known. */
  beneficiaryId?: string
  entryType: EntryType
  amountMinor: number
}

/** Puts an amount aside, or records that the payer could not bear it: place_hold() as settle_commission() calls it. */
export async function placeHold(tx: Tx, hold: NewHold): Promise<Decision> {
  const { opKey, subject, merchantId, isTest, currency, payer, entryType, amountMinor } = hold
  const [orderId, riderId] = [hold.orderId ?? null, hold.beneficiaryId ?? null]
  const hash = requestHash(subject.kind, subject.id, merchantId, isTest, currency, payer.id, entryType, amountMinor)
  const { rows } = await tx.sql<DecisionRow>(
    `SELECT ${DECISION} FROM place_hold($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18)`,
    [
      opKey,
      hash,
      subject.kind,
      subject.id,
      merchantId,
      isTest,
      currency,
      orderId,
      JSON.stringify(riderId ? { rider_id: riderId } : {}),
      payer.kind,
      payer.id,
      riderId,
      entryType,
      amountMinor,
      ...factValues(undefined),
    ],
  )
  return decisionOf(rows[0]!)
}
