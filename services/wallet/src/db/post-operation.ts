import type { FactName } from '@svc/contracts/facts'
import { currentTraceparent } from '@svc/telemetry'
import type { Tx } from '@svc/transact'
import { type Decision, type Operation, requestHash, requireBalanced } from '../domain/operation.ts'
import { DECISION, type DecisionRow, decisionOf } from './decision.ts'

const POST = `SELECT ${DECISION} FROM post_operation($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19)`

/**
 * Decides an operation once for its key and applies it at most once for its business key, with its fact. Runs in a
 * transaction of the worker role; the accounts stay locked until that ends.
 */
export async function postOperation(tx: Tx, operation: Operation, fact?: OperationFact): Promise<Decision> {
  requireBalanced(operation)
  const { postings, about = {} } = operation
  const { rows } = await tx.sql<DecisionRow>(POST, [
    operation.opKey,
    hashOf(operation),
    operation.kind,
    operation.subjectId,
    operation.merchantId,
    operation.isTest,
    operation.currency,
    operation.orderId ?? null,
    JSON.stringify(about),
    null,
    postings.map(({ owner }) => owner.kind),
    postings.map(({ owner }) => owner.id),
    postings.map(({ purpose }) => purpose),
    postings.map(({ entryType }) => entryType),
    postings.map(({ amountMinor }) => amountMinor),
    ...factValues(fact),
  ])
  return decisionOf(rows[0]!)
}

/** The fact of one operation, which is its aggregate. */
export interface OperationFact {
  id: string
  type: FactName
  payload: Buffer
}

/** Arguments of a fact: id, type, payload, headers. */
export function factValues(fact: OperationFact | undefined): unknown[] {
  return fact ? [fact.id, fact.type, fact.payload, factHeaders()] : [null, null, null, null]
}

/** Headers with which a fact continues the trace of its transaction. */
export function factHeaders(): string {
  const traceparent = currentTraceparent()
  return JSON.stringify(traceparent ? { traceparent } : {})
}

function hashOf({ kind, subjectId, merchantId, isTest, currency, orderId, postings }: Operation): Buffer {
  const lines = postings.flatMap(({ owner, purpose, entryType, amountMinor }) => [
    owner.kind,
    owner.id,
    purpose,
    entryType,
    amountMinor,
  ])
  return requestHash(kind, subjectId, merchantId, isTest, currency, orderId ?? null, ...lines)
}
