import type { Tx } from '@svc/outbox'
import { type PaymentEvent, parsePaymentEvent } from '@svc/payments'
import type { Context } from '../../context.ts'
import { ignored, type Judgement, refused } from '../../domain/judgement.ts'
import type { PaymentHook, ReceivedHook } from '../../domain/payment-hook.ts'
import { isTopupReference } from '../../domain/topup.ts'
import { applyBillingEvent } from './apply-billing-event.ts'
import { applyCharge } from './apply-charge.ts'
import { applyTransferEvent } from './apply-transfer-event.ts'

type Apply = (tx: Tx, event: PaymentEvent, hook: PaymentHook) => Promise<Judgement>

/** Lets an event of the payment provider take effect, as far as it is ours, certain and believable. */
export async function applyPaymentEvent(ctx: Context, tx: Tx, { body, ...hook }: ReceivedHook): Promise<Judgement> {
  const event = parsePaymentEvent(body)
  if (!event) return refused('unreadable')
  const apply = handlerOf(ctx, event)
  if (!apply) return ignored('unknown_event')
  // A merchant can sign whatever it likes with a secret of its own: such an event is about its own account there.
  if (!hook.signedByPlatform)
    return isTopupReference(event.reference) ? refused('untrusted_signature') : ignored('account_of_merchant')
  if (isOtherMode(ctx, event)) return refused('wrong_mode')
  return apply(tx, event, hook)
}

function handlerOf(ctx: Context, { event, reference }: PaymentEvent): Apply | null {
  if (event === 'charge.success') return isTopupReference(reference) ? applyCharge : applyBillingEvent
  if (event.startsWith('transfer.')) return (tx, transfer, hook) => applyTransferEvent(ctx, tx, transfer, hook)
  return /^(subscription|invoice)\./.test(event) ? applyBillingEvent : null
}

/** An event of the provider's test mode must not touch live money, nor the other way round. */
function isOtherMode({ payments }: Context, { domain }: PaymentEvent): boolean {
  const mode = payments?.mode ?? null
  return mode !== null && domain !== null && domain !== mode
}
