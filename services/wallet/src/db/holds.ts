import type { Tx } from '@svc/transact'
import { type About, type Decision, type EntryType, type Owner, requestHash } from '../domain/operation.ts'
import { DECISION, type DecisionRow, decisionOf } from './decision.ts'
import { factValues, type OperationFact } from './post-operation.ts'

/** What a hold is for; of one subject one is open at a time. */
export interface HoldSubject {
  kind: string
  id: string
}

export interface Capture {
  opKey: string
  subject: HoldSubject
  /** The business key of the payment; `partId` is its subject. */
  kind: string
  partId: string
  /** Null: all that is left. */
  amountMinor: number | null
  /** Null: whom the hold is for. */
  riderId: string | null
  debitType: EntryType
  creditType: EntryType
}

/** Pays a part of a hold to a rider, once per part. */
export async function captureHold(tx: Tx, capture: Capture, fact?: OperationFact): Promise<Decision> {
  const { opKey, subject, kind, partId, amountMinor, riderId, debitType, creditType } = capture
  const hash = requestHash(subject.kind, subject.id, kind, partId, amountMinor, riderId)
  const { rows } = await tx.sql<DecisionRow>(
    `SELECT ${DECISION} FROM capture_hold($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)`,
    [
      opKey,
      hash,
      subject.kind,
      subject.id,
      kind,
      partId,
      amountMinor,
      riderId,
      debitType,
      creditType,
      ...factValues(fact),
    ],
  )
  return decisionOf(rows[0]!)
}

export interface NewHold {
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
  /** What is remembered beside whom it is for. */
  about?: About
}

/** Puts an amount aside, or records that the payer could not bear it */
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
      JSON.stringify({ ...hold.about, ...(riderId && { rider_id: riderId }) }),
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

export interface Release {
  opKey: string
  subject: HoldSubject
  /** The placement that is given up should it not have been decided. */
  attemptOpKey?: string | undefined
  entryType: EntryType
  orderId?: string
}

/** Gives back what is left of a hold, and makes sure that the attempt to place it cannot succeed any more. */
export async function releaseHold(tx: Tx, release: Release, fact?: OperationFact): Promise<Decision> {
  const { opKey, subject, attemptOpKey, entryType, orderId } = release
  const hash = requestHash(subject.kind, subject.id, attemptOpKey ?? null, entryType)
  const { rows } = await tx.sql<DecisionRow>(
    `SELECT ${DECISION} FROM release_hold($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
    [opKey, hash, subject.kind, subject.id, attemptOpKey ?? null, entryType, orderId ?? null, ...factValues(fact)],
  )
  return decisionOf(rows[0]!)
}

/** Leaves a tombstone under the key unless it was decided; answers how the key stands from now on. */
export async function abortOperation(tx: Tx, opKey: string): Promise<'applied' | 'declined' | 'aborted'> {
  const { rows } = await tx.sql<{ outcome: 'applied' | 'declined' | 'aborted' }>(
    'SELECT abort_operation($1) AS outcome',
    [opKey],
  )
  return rows[0]!.outcome
}
