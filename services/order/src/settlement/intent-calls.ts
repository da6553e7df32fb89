import { ServiceError } from '@svc/errors'
import type { Intent, IntentCall } from '@svc/outbox'
import { actOf } from '../acts/index.ts'
import type { Context } from '../context.ts'
import { finishSettlement } from './finish-settlement.ts'
import { type EscrowIntent, GIVE_BACK, RELEASE, SETTLE, type SettlementIntent } from './settlement-intent.ts'

type Needs = Pick<Context, 'config' | 'transact' | 'logger' | 'failpoint' | 'wallet'>

/** The calls to the wallet that must happen, by the kind of their intents. */
export function intentCalls(ctx: () => Needs): Record<string, IntentCall> {
  return {
    [SETTLE]: (intent) => carryOn(ctx(), intent),
    [RELEASE]: ({ merchant_id, payload }) => {
      const { orderId, attempt } = payload as EscrowIntent
      return untilDone(ctx().wallet!.release(merchant_id, orderId, attempt))
    },
    [GIVE_BACK]: ({ merchant_id, payload }) => {
      const { orderId, attempt } = payload as EscrowIntent
      return untilDone(ctx().wallet!.giveBack(merchant_id, orderId, attempt))
    },
  }
}

/** Finishes a settlement that was left open, or gives it up where an operator asked for that in time. */
async function carryOn(ctx: Needs, intent: Intent): Promise<null> {
  const { id, attempt, state } = intent
  const payload = intent.payload as SettlementIntent
  const { settlement, act } = payload
  ctx.failpoint('settlement due')
  if (state === 'aborting') await untilDone(ctx.wallet!.abort(settlement.orderId, attempt))
  const outcome = await untilDone(ctx.wallet!.settle(settlement, attempt))
  ctx.failpoint('settlement answered')
  await untilDone(finishSettlement(ctx, actOf(act.kind), { id, attempt, payload }, outcome))
  ctx.failpoint('settlement finished')
  return null
}

/** No error declines what was settled, whatever it says, the wallet's or our own: it stays due until it is done. */
async function untilDone<T>(step: Promise<T>): Promise<T> {
  try {
    return await step
  } catch (error) {
    throw new ServiceError('service_unavailable', { cause: error })
  }
}
