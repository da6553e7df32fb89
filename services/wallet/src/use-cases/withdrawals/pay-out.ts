import { ServiceError } from '@svc/errors'
import type { Intent } from '@svc/outbox'
import { PaymentRefusedError, PaymentRepeatedError, type Payments, type Transfer } from '@svc/payments'
import type { Context } from '../../context.ts'
import { decided } from '../../db/decision.ts'
import { lockWithdrawal, storeWithdrawal, type WithdrawalRow } from '../../db/withdrawals.ts'
import { beginAttempt, type PayoutPayload } from './payout-attempt.ts'
import { settleTransfer } from './settle-transfer.ts'

/**
 * Pursues an attempt until the provider has it: its reference is committed before the provider hears of it, and what may
 * have been sent is asked about before it is sent again, under that reference. Throws service_unavailable where nothing
 * is known, which is tried again.
 */
export async function payOut(ctx: Context, { subject_id, payload }: Intent): Promise<{ transfer: string }> {
  const { payments } = ctx
  if (!payments) throw new ServiceError('service_unavailable', { message: 'no payment provider is configured' })
  const begun = await begin(ctx, subject_id, (payload as PayoutPayload).attempt)
  if (!begun) return { transfer: 'settled' }
  ctx.failpoint('payout.begun')

  const known = begun.isNew ? null : await payments.verifyTransfer(begun.withdrawal.provider_reference!)
  const transfer = known ?? (await send(ctx, payments, begun))
  ctx.failpoint('payout.sent')
  await decided(
    ctx.transact('every tenant', async (tx) => {
      const withdrawal = await lockWithdrawal(tx, subject_id)
      if (withdrawal?.attempt === begun.withdrawal.attempt) await settleTransfer(ctx, tx, withdrawal, transfer)
    }),
  )
  ctx.failpoint('payout.settled')
  return { transfer: transfer.status }
}

interface Begun {
  withdrawal: WithdrawalRow
  /** Nothing was sent under its reference before. */
  isNew: boolean
  /** Nothing that was sent before can still be on its way. */
  isOld: boolean
}

/** Null where the attempt has ended, or another has taken its place. */
async function begin(ctx: Context, id: string, attempt: number): Promise<Begun | null> {
  return decided(
    ctx.transact('every tenant', async (tx) => {
      const found = await lockWithdrawal(tx, id)
      if (found?.attempt !== attempt) return null
      const withdrawal = found.status === 'approved' ? await beginAttempt(ctx, tx, found) : found
      if (withdrawal.status !== 'processing') return null
      const isNew = withdrawal.submitted_at === null
      if (isNew) await storeWithdrawal(tx, { ...withdrawal, submitted_at: tx.now })
      const submittedMs = (withdrawal.submitted_at ?? tx.now).getTime()
      return { withdrawal, isNew, isOld: submittedMs + ctx.config.paymentSweepAfterMs <= tx.now.getTime() }
    }),
  )
}

/** Sends the transfer. A refusal settles the attempt only where nothing that was sent before can still arrive. */
async function send(ctx: Context, payments: Payments, { withdrawal, isNew, isOld }: Begun): Promise<Transfer> {
  const { id, amount_minor: amountMinor, currency, recipient_code: recipientCode } = withdrawal
  const reference = withdrawal.provider_reference!
  try {
    return await payments.initiateTransfer({ reference, recipientCode, amountMinor, currency, reason: `Payout ${id}` })
  } catch (error) {
    const isRefused = error instanceof PaymentRefusedError
    if (!isRefused && !(error instanceof PaymentRepeatedError)) throw error
    ctx.logger.warn({ err: error, withdrawal: id, reference }, 'the provider refuses a transfer')
    const known = await payments.verifyTransfer(reference)
    if (known) return known
    if (!isRefused || !(isNew || isOld)) throw new ServiceError('service_unavailable', { cause: error })
    return { reference, status: 'rejected', amountMinor, currency }
  }
}
