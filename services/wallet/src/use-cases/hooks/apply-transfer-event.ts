import { isUuid } from '@svc/inputs'
import type { Tx } from '@svc/outbox'
import type { PaymentEvent } from '@svc/payments'
import type { Context } from '../../context.ts'
import { lockWithdrawal } from '../../db/withdrawals.ts'
import { ignored, type Judgement, refused } from '../../domain/judgement.ts'
import type { PaymentHook } from '../../domain/payment-hook.ts'
import { readPayoutReference, type Withdrawal } from '../../domain/withdrawal.ts'
import { payoutAlert } from '../../messages/alerts.ts'
import { type Conclusion, concludeTransfer } from '../withdrawals/transfer.ts'

const STATUS_OF: ReadonlyMap<string, string> = new Map([
  ['transfer.success', 'success'],
  ['transfer.failed', 'failed'],
  ['transfer.reversed', 'reversed'],
])

/**
 * What the provider tells of a transfer takes effect if it speaks of the latest attempt of a withdrawal of ours, with its
 * amount and currency; the first end of an attempt stands. The signature is all the proof it needs: it covers the
 * reference, which we and the provider alone knew.
 */
export async function applyTransferEvent(
  ctx: Context,
  tx: Tx,
  event: PaymentEvent,
  hook: PaymentHook,
): Promise<Judgement> {
  const { amountMinor, currency } = event
  const status = STATUS_OF.get(event.event)
  if (status === undefined) return ignored('unknown_event')
  const named = event.reference === null ? null : readPayoutReference(event.reference)
  const withdrawalId = named?.withdrawalId ?? withdrawalIn(event)
  if (withdrawalId === null) return ignored('not_ours')

  const withdrawal = await lockWithdrawal(tx, withdrawalId)
  if (!withdrawal) return { outcome: 'waiting', reason: 'unknown_withdrawal' }
  const merchantId = withdrawal.ownerKind === 'merchant' ? withdrawal.ownerId : undefined
  if (isOfAnother(withdrawal, hook)) return refused('tenant_mismatch', merchantId)
  const seen = { status, amountMinor, currency }
  if (withdrawal.providerReference === event.reference)
    return judgementOf(await concludeTransfer(ctx, tx, withdrawal, seen), merchantId)
  if (!named || named.attempt >= withdrawal.attempt) return refused('unknown_reference', merchantId)
  // A newer attempt was made because this one had failed.
  if (status === 'success')
    ctx.logger.error(...payoutAlert('payout_contradicted', withdrawal, { ...seen, reference: event.reference }))
  return ignored('old_reference')
}

/** Hooks that have it name it beside the reference. */
function withdrawalIn({ metadata }: PaymentEvent): string | null {
  const id = metadata['withdrawal_request_id']
  return typeof id === 'string' && isUuid(id) ? id : null
}

function isOfAnother({ ownerKind, ownerId }: Withdrawal, { merchantId }: PaymentHook): boolean {
  return merchantId !== null && (ownerKind !== 'merchant' || ownerId !== merchantId)
}

function judgementOf(conclusion: Conclusion, merchantId: string | undefined): Judgement {
  switch (conclusion) {
    case 'applied':
      return { outcome: 'applied' }
    case 'amount_differs':
    case 'contradicts':
      return refused(conclusion, merchantId)
    default:
      return ignored('known_already')
  }
}
