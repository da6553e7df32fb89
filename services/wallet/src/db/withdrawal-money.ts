import { ServiceError } from '@svc/errors'
import type { Tx } from '@svc/outbox'
import { type Decision, type EntryType, type Operation, type Owner, PROVIDER } from '../domain/operation.ts'
import { payoutReference } from '../domain/withdrawal.ts'
import { postOperation } from './post-operation.ts'
import type { WithdrawalRow } from './withdrawals.ts'

/** Puts the amount of this attempt aside; throws wallet_insufficient where the wallet cannot bear it. */
export async function reserve(tx: Tx, withdrawal: WithdrawalRow): Promise<void> {
  const { outcome, result } = await postOperation(
    tx,
    operationOf(withdrawal, 'reserve', 'withdrawal_reserve', [
      line(withdrawal, 'available', 'withdrawal_reserve', -withdrawal.amount_minor),
      line(withdrawal, 'held', 'withdrawal_reserve', withdrawal.amount_minor),
    ]),
  )
  if (outcome === 'declined') {
    const { required_minor, balance_minor } = result ?? {}
    throw new ServiceError('wallet_insufficient', { details: { required_minor, balance_minor } })
  }
  requireApplied(withdrawal, outcome)
}

/** What was put aside leaves the wallet; a line of zero marks it in the statement. */
export async function payReserve(tx: Tx, withdrawal: WithdrawalRow): Promise<void> {
  const posted = await postOperation(
    tx,
    operationOf(withdrawal, 'paid', SETTLE, [
      line(withdrawal, 'held', 'withdrawal_paid', -withdrawal.amount_minor),
      { owner: PROVIDER, purpose: 'available', entryType: 'withdrawal_paid', amountMinor: withdrawal.amount_minor },
      line(withdrawal, 'available', 'withdrawal_paid', 0),
    ]),
  )
  requireApplied(withdrawal, posted.outcome)
}

/** What was put aside can be spent again. */
export async function returnReserve(tx: Tx, withdrawal: WithdrawalRow): Promise<void> {
  const posted = await postOperation(
    tx,
    operationOf(withdrawal, 'returned', SETTLE, [
      line(withdrawal, 'held', 'withdrawal_reversal', -withdrawal.amount_minor),
      line(withdrawal, 'available', 'withdrawal_reversal', withdrawal.amount_minor),
    ]),
  )
  requireApplied(withdrawal, posted.outcome)
}

/** What had been paid out came back from the provider. */
export async function returnPayment(tx: Tx, withdrawal: WithdrawalRow): Promise<void> {
  const amountMinor = withdrawal.amount_minor
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
  { id, attempt, provider_reference, owner_kind, owner_id, currency }: WithdrawalRow,
  step: string,
  kind: string,
  postings: Operation['postings'],
): Operation {
  return {
    opKey: `withdrawal:${id}:${attempt}:${step}`,
    kind,
    subjectId: `${id}:${attempt}`,
    merchantId: owner_kind === 'merchant' ? owner_id : null,
    isTest: false,
    currency,
    about: { withdrawal_id: id, reference: provider_reference ?? payoutReference(id, attempt) },
    postings,
  }
}

function line(
  { owner_kind, owner_id }: WithdrawalRow,
  purpose: 'available' | 'held',
  entryType: EntryType,
  amountMinor: number,
) {
  const owner: Owner = { kind: owner_kind, id: owner_id }
  return { owner, purpose, entryType, amountMinor }
}

/** The lock of the withdrawal and its status allow each step once: any other answer is a defect of ours. */
function requireApplied({ id, attempt }: WithdrawalRow, outcome: Decision['outcome']): void {
  if (outcome !== 'applied') throw new Error(`withdrawal ${id}, attempt ${attempt}: the ledger answers ${outcome}`)
}
