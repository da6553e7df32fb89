import { ServiceError } from '@svc/errors'
import type { Tx } from '@svc/transact'
import { type Decision, type EntryType, type Operation, type Owner, PROVIDER } from '../domain/operation.ts'
import { payoutReference, type Withdrawal } from '../domain/withdrawal.ts'
import { postOperation } from './post-operation.ts'

/** Puts the amount of this attempt aside; throws wallet_insufficient where the wallet cannot bear it. */
export async function reserve(tx: Tx, withdrawal: Withdrawal): Promise<void> {
  const { outcome, result } = await postOperation(
    tx,
    operationOf(withdrawal, 'reserve', 'withdrawal_reserve', [
      line(withdrawal, 'available', 'withdrawal_reserve', -withdrawal.amountMinor),
      line(withdrawal, 'held', 'withdrawal_reserve', withdrawal.amountMinor),
    ]),
  )
  if (outcome === 'declined') {
    const { required_minor, balance_minor } = result ?? {}
    throw new ServiceError('wallet_insufficient', { details: { required_minor, balance_minor } })
  }
  requireApplied(withdrawal, outcome)
}

/** What was put aside leaves the wallet; a line of zero marks it in the statement. */
export async function payReserve(tx: Tx, withdrawal: Withdrawal): Promise<void> {
  const posted = await postOperation(
    tx,
    operationOf(withdrawal, 'paid', SETTLE, [
      line(withdrawal, 'held', 'withdrawal_paid', -withdrawal.amountMinor),
      { owner: PROVIDER, purpose: 'available', entryType: 'withdrawal_paid', amountMinor: withdrawal.amountMinor },
      line(withdrawal, 'available', 'withdrawal_paid', 0),
    ]),
  )
  requireApplied(withdrawal, posted.outcome)
}

/** What was put aside can be spent again. */
export async function returnReserve(tx: Tx, withdrawal: Withdrawal): Promise<void> {
  const posted = await postOperation(
    tx,
    operationOf(withdrawal, 'returned', SETTLE, [
      line(withdrawal, 'held', 'withdrawal_reversal', -withdrawal.amountMinor),
      line(withdrawal, 'available', 'withdrawal_reversal', withdrawal.amountMinor),
    ]),
  )
  requireApplied(withdrawal, posted.outcome)
}

/** What had been paid out came back from the provider. */
export async function returnPayment(tx: Tx, withdrawal: Withdrawal): Promise<void> {
  const amountMinor = withdrawal.amountMinor
  const posted = await postOperation(
    tx,
    operationOf(withdrawal, 'reversed', 'withdrawal_reversal', [
      { owner: PROVIDER, purpose: 'available', entryType: 'withdrawal_reversal', amountMinor: -amountMinor },
      line(withdrawal, 'available', 'withdrawal_reversal', amountMinor),
    ]),
  )
  requireApplied(withdrawal, posted.outcome)
}

/** The business key that paying and returning an attempt share: the first of both wins. */
const SETTLE = 'withdrawal_settle'

function operationOf(
  { id, attempt, providerReference, ownerKind, ownerId, currency }: Withdrawal,
  step: string,
  kind: string,
  postings: Operation['postings'],
): Operation {
  return {
    opKey: `withdrawal:${id}:${attempt}:${step}`,
    kind,
    subjectId: `${id}:${attempt}`,
    merchantId: ownerKind === 'merchant' ? ownerId : null,
    isTest: false,
    currency,
    about: { withdrawal_id: id, reference: providerReference ?? payoutReference(id, attempt) },
    postings,
  }
}

function line(
  { ownerKind, ownerId }: Withdrawal,
  purpose: 'available' | 'held',
  entryType: EntryType,
  amountMinor: number,
) {
  const owner: Owner = { kind: ownerKind, id: ownerId }
  return { owner, purpose, entryType, amountMinor }
}

/** The lock of the withdrawal and its status allow each step once: any other answer is a defect of ours. */
function requireApplied({ id, attempt }: Withdrawal, outcome: Decision['outcome']): void {
  if (outcome !== 'applied') throw new Error(`withdrawal ${id}, attempt ${attempt}: the ledger answers ${outcome}`)
}
