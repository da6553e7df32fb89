import type { CommissionOutcome } from '@svc/contracts/wallet/v1/commission_service'
import { ServiceError } from '@svc/errors'
import { type Intent, type IntentCall, untilDone } from '@svc/intents'
import type { Context } from '../context.ts'
import type { Settlement } from '../domain/commission.ts'
import { emptyEscrow, GIVE_BACK, RELEASE } from './escrow.ts'
import { finishSettlement, type SettlementIntent, type Waiting } from './finish.ts'
import { RESERVE, reserveCommission } from './reserve.ts'
import { SETTLE } from './settle.ts'

/** Finds what waits for a settlement. */
type WaitingFor = (ctx: Context, intent: SettlementIntent) => Waiting<unknown>

/** The calls to the wallet that must happen, by the kind of their intents. */
export function intentCalls(ctx: () => Context, waitingFor: WaitingFor): Record<string, IntentCall> {
  return {
    [SETTLE]: (intent) => carryOn(ctx(), intent, waitingFor),
    [RESERVE]: (intent) => reserveCommission(ctx(), intent),
    [RELEASE]: (intent) => emptyEscrow(ctx(), 'release', intent),
    [GIVE_BACK]: (intent) => emptyEscrow(ctx(), 'giveBack', intent),
  }
}

/** Finishes a settlement that was left open, or gives it up where an operator asked for that in time. */
async function carryOn(ctx: Context, intent: Intent, waitingFor: WaitingFor): Promise<null> {
  const { id, attempt } = intent
  const payload = intent.payload as SettlementIntent
  ctx.failpoint('settlement due')
  const outcome = await untilDone(decision(ctx, intent, payload.settlement))
  ctx.failpoint('settlement answered')
  await untilDone(finishSettlement(ctx, { id, attempt, payload }, outcome, waitingFor(ctx, payload)))
  ctx.failpoint('settlement finished')
  return null
}

/**
 * What the wallet says of an attempt. Where it knows the key for something else, this settlement has not taken effect
 * and never will: an operator must look into it, and then give it up.
 */
async function decision(
  { wallet, logger }: Context,
  { state, attempt }: Intent,
  settlement: Settlement,
): Promise<CommissionOutcome> {
  const { orderId } = settlement
  if (state === 'aborting') await wallet.abort(orderId, attempt)
  try {
    return await wallet.settle(settlement, attempt)
  } catch (err) {
    if (!(err instanceof ServiceError) || err.code !== 'idempotency_conflict') throw err
    const alert = 'settlement_conflict'
    logger.error({ err, alert, order_id: orderId, attempt }, 'the wallet knows the key of a settlement for another')
    if (state !== 'aborting') throw err
    return { outcome: 'aborted', is_replay: true }
  }
}
