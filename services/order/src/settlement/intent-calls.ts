import type { CommissionOutcome } from '@svc/contracts/wallet/v1/commission_service'
import { ServiceError } from '@svc/errors'
import type { Intent, IntentCall } from '@svc/outbox'
import { metrics } from '@svc/telemetry'
import { actOf } from '../acts/index.ts'
import type { Context } from '../context.ts'
import type { Settlement } from '../domain/commission.ts'
import { finishSettlement } from './finish-settlement.ts'
import { type EscrowIntent, GIVE_BACK, RELEASE, SETTLE, type SettlementIntent } from './settlement-intent.ts'

type Needs = Pick<Context, 'config' | 'transact' | 'logger' | 'failpoint' | 'wallet'>

/** The calls to the wallet that must happen, by the kind of their intents. */
export function intentCalls(ctx: () => Needs): Record<string, IntentCall> {
  return {
    [SETTLE]: (intent) => carryOn(ctx(), intent),
    [RELEASE]: (intent) => empty(ctx(), 'release', intent),
    [GIVE_BACK]: (intent) => empty(ctx(), 'giveBack', intent),
  }
}

/** Finishes a settlement that was left open, or gives it up where an operator asked for that in time. */
async function carryOn(ctx: Needs, intent: Intent): Promise<null> {
  const { id, attempt } = intent
  const payload = intent.payload as SettlementIntent
  ctx.failpoint('settlement due')
  const outcome = await untilDone(decision(ctx, intent, payload.settlement))
  ctx.failpoint('settlement answered')
  await untilDone(finishSettlement(ctx, actOf(payload.act.kind), { id, attempt, payload }, outcome))
  ctx.failpoint('settlement finished')
  return null
}

/**
 * What the wallet says of an attempt. Where it knows the key for something else, this settlement has not taken effect
 * and never will: for an operator to look into, and then to give up.
 */
async function decision(
  { wallet, logger }: Needs,
  { state, attempt }: Intent,
  settlement: Settlement,
): Promise<CommissionOutcome> {
  const { orderId } = settlement
  if (state === 'aborting') await wallet!.abort(orderId, attempt)
  try {
    return await wallet!.settle(settlement, attempt)
  } catch (err) {
    if (!(err instanceof ServiceError) || err.code !== 'idempotency_conflict') throw err
    const alert = 'settlement_conflict'
    logger.error({ err, alert, order_id: orderId, attempt }, 'the wallet knows the key of a settlement for another')
    if (state !== 'aborting') throw err
    return { outcome: 'aborted', is_replay: true }
  }
}

/** Takes out of escrow what the order says is in it. */
async function empty({ wallet, logger }: Needs, way: 'release' | 'giveBack', intent: Intent): Promise<object> {
  const { orderId, attempt } = intent.payload as EscrowIntent
  const outcome = await untilDone(wallet![way](intent.merchant_id, orderId, attempt))
  if (outcome.outcome === 'declined') {
    const { reason } = outcome
    const alert = 'escrow_contradicted'
    logger.error({ alert, order_id: orderId, attempt, way, reason }, 'what the order had in escrow is not there')
    metrics
      .counter('escrow_contradictions_total', 'Releases and returns of commissions that found nothing in escrow')
      .add(1, { way })
  }
  return outcome
}

/** No error declines what was settled, whatever it says, the wallet's or our own: it stays due until it is done. */
async function untilDone<T>(step: Promise<T>): Promise<T> {
  try {
    return await step
  } catch (error) {
    throw new ServiceError('service_unavailable', { cause: error })
  }
}
