import type { Tx } from '@svc/outbox'
import type { PaymentEvent } from '@svc/payments'
import { creditTopup } from '../../db/credit-topup.ts'
import { lockTopup } from '../../db/topups.ts'
import { type Judgement, refused } from '../../domain/judgement.ts'
import type { PaymentHook } from '../../domain/payment-hook.ts'
import { mismatchOf } from '../../domain/topup.ts'

/**
 * Credits the top-up that a charge.success with a reference of top-ups tells of: only against an intent of ours, of the same
 * merchant, currency and amount.
 */
export async function applyCharge(tx: Tx, event: PaymentEvent, hook: PaymentHook): Promise<Judgement> {
  const topup = event.reference === null ? null : await lockTopup(tx, event.reference)
  if (!topup) return { outcome: 'waiting', reason: 'unknown_reference' }
  if (event.status !== 'success') return refused('not_successful', topup.merchantId)
  const { amountMinor, currency, metadata } = event
  const merchantIds = [hook.merchantId, metadata['merchant_id']].filter((id) => id !== null && id !== undefined)
  const mismatch = mismatchOf(topup, { amountMinor, currency, merchantIds })
  if (mismatch) return refused(mismatch, topup.merchantId)
  await creditTopup(tx, topup)
  return { outcome: 'applied' }
}
