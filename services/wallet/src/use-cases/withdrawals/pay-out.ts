import { ServiceError } from '@svc/errors'
import type { Intent } from '@svc/outbox'
import type { Context } from '../../context.ts'
import { decided } from '../../db/decision.ts'
import { lockWithdrawal, type WithdrawalRow } from '../../db/withdrawals.ts'
import { alertPayout } from './alert-payout.ts'
import { beginAttempt, type PayoutPayload } from './payout-attempt.ts'
import { sendTransfer } from './send-transfer.ts'
import { settleTransfer } from './settle-transfer.ts'

/**
 * Pursues an attempt until the provider has it: its reference is committed before the provider hears of it, and what may
 * have been sent is asked about before it is sent again, under that reference. What was paid is asked about only. Throws
 * service_unavailable where nothing is known, which is tried again.
 */
export async function payOut(ctx: Context, { subject_id, payload }: Intent): Promise<{ transfer: string }> {
  const { payments } = ctx
  if (!payments) throw new ServiceError('service_unavailable', { message: 'no payment provider is configured' })
  const begun = await begin(ctx, subject_id, (payload as PayoutPayload).attempt)
  if (!begun) return { transfer: 'settled' }
  ctx.failpoint('payout.begun')

  const isPaid = begun.status === 'paid'
  const isNew = begun.submitted_at === null && !isPaid
  const known = isNew ? null : await payments.verifyTransfer(begun.provider_reference!)
  if (!known && isPaid) {
    alertPayout(ctx, 'payout_contradicted', begun, { status: 'unknown', amountMinor: null, currency: null })
    return { transfer: 'unknown' }
  }
  const transfer = known ?? (await sendTransfer(ctx, payments, begun))
  if (!transfer) return { transfer: 'rejected' }
  ctx.failpoint('payout.sent')
  await decided(
    ctx.transact('every tenant', async (tx) => {
      const withdrawal = await lockWithdrawal(tx, subject_id)
      if (withdrawal?.attempt === begun.attempt) await settleTransfer(ctx, tx, withdrawal, transfer)
    }),
  )
  ctx.failpoint('payout.settled')
  return { transfer: transfer.status }
}

/** Null where the attempt has failed, or another has taken its place. */
function begin(ctx: Context, id: string, attempt: number): Promise<WithdrawalRow | null> {
  return decided(
    ctx.transact('every tenant', async (tx) => {
      const found = await lockWithdrawal(tx, id)
      if (found?.attempt !== attempt) return null
      if (found.status === 'approved') return beginAttempt(ctx, tx, found)
      return found.status === 'processing' || found.status === 'paid' ? found : null
    }),
  )
}
