import type { CommissionOutcome } from '@svc/contracts/wallet/v1/commission_service'
import { ServiceError } from '@svc/errors'
import type { BegunIntent } from '@svc/outbox'
import type { Act } from '../acts/act.ts'
import type { Context } from '../context.ts'
import { type IntentState, intentState } from '../db/commission-intents.ts'
import { finishSettlement } from './finish-settlement.ts'
import { pauses } from './pauses.ts'
import { declined, undecided } from './refusals.ts'
import type { SettlementIntent } from './settlement-intent.ts'
import { type MadePlan, type Question, type Turn, takeTurn } from './take-turn.ts'

/** A client waits no longer for an outcome, nor for the turn of its own act behind another. */
const PATIENCE_MS = 4_000
const PATIENCE_WITH_OTHERS_MS = 2_000
/** No further call begins when less is left. */
const ONE_CALL_MS = 1_000

/**
 * Performs an act on an order, the one way in which an order changes. An act that enters a status which settles a
 * commission does so only once the wallet has paid or holds it: before that the order is as it was, from then on the act
 * is done, whoever dies in between. 409 insufficient_merchant_wallet when the wallet declines; 503 with the id of the
 * intent when nothing is known in time.
 */
export async function actOnOrder<Data extends { orderId: string }, Result>(
  ctx: Context,
  act: Act<Data, Result>,
  data: Data,
): Promise<Result> {
  const startedAt = performance.now()
  const until = startedAt + PATIENCE_MS
  let plan: MadePlan | null = null
  let isShared = false
  do {
    const turn: Turn<Result> = await takeTurn(ctx, act, data, plan, isShared)
    plan = null
    switch (turn.state) {
      case 'done':
        if (turn.isEscrowResolved) ctx.intents.wake()
        return turn.result
      case 'unplanned':
        plan = await makePlan(ctx, turn.question)
        break
      case 'busy':
        isShared = await outcomeOf(ctx, turn.intentId, act.aim(data), startedAt)
        break
      case 'begun': {
        const finished: Ended<Result> = await carryThrough(ctx, act, turn.intent, until)
        if (typeof finished === 'object') return finished.result
        isShared = finished
      }
    }
  } while (performance.now() < until)
  throw undecided()
}

async function makePlan({ wallet }: Context, { order, ...asked }: Question): Promise<MadePlan> {
  try {
    return { ...(await wallet!.plan(order)), ...asked, riderId: order.riderId }
  } catch (error) {
    throw new ServiceError('service_unavailable', { cause: error, retryAfterSeconds: 2 })
  }
}

/** What the act came to; where somebody else ended it, whether it is done, to be seen in the order. */
type Ended<Result> = { result: Result } | boolean

/** From the begun intent to its end. */
async function carryThrough<Data extends { orderId: string }, Result>(
  ctx: Context,
  act: Act<Data, Result>,
  intent: BegunIntent & { payload: SettlementIntent },
  until: number,
): Promise<Ended<Result>> {
  ctx.failpoint('settlement begun')
  const outcome = await answered(ctx, intent, until)
  if (!outcome) throw undecided(intent.id)
  ctx.failpoint('settlement answered')
  const finished = await finishSettlement(ctx, act, intent, outcome).catch((cause: unknown) => {
    // It is no refusal, whatever went wrong: the money has moved, and the workers go on.
    throw undecided(intent.id, cause)
  })
  ctx.failpoint('settlement finished')
  switch (finished.state) {
    case 'applied':
      return finished
    case 'declined':
      throw declined(finished.outcome)
    case 'aborted':
      throw undecided(intent.id)
    default:
      return outcomeOf(ctx, intent.id, intent.payload.act.aim, performance.now())
  }
}

/** Asks the wallet, with the same key for as long as the client waits; null when that was not long enough. */
async function answered(
  ctx: Context,
  { attempt, payload }: BegunIntent & { payload: SettlementIntent },
  until: number,
): Promise<CommissionOutcome | null> {
  for await (const _ of pauses(until - ONE_CALL_MS)) {
    ctx.failpoint('settlement due')
    try {
      return await ctx.wallet!.settle(payload.settlement, attempt)
    } catch (err) {
      ctx.logger.warn({ err, order_id: payload.settlement.orderId, attempt }, 'the wallet did not answer a settlement')
    }
  }
  return null
}

/**
 * Waits until the intent has ended, holding nothing. Who wants the same is told no where the wallet said no; everybody
 * else may look at the order again. True when what was wanted is done.
 */
async function outcomeOf(ctx: Context, intentId: string, aim: string, since: number): Promise<boolean> {
  let seen = await intentState(ctx.database, intentId)
  const isSame = seen.aim === aim
  for await (const _ of pauses(since + (isSame ? PATIENCE_MS : PATIENCE_WITH_OTHERS_MS))) {
    if (!isOpen(seen)) break
    seen = await intentState(ctx.database, intentId)
  }
  if (isOpen(seen)) throw undecided(intentId)
  if (isSame && seen.state === 'declined' && seen.outcome) throw declined(seen.outcome)
  return isSame && seen.state === 'applied'
}

const isOpen = ({ state }: IntentState): boolean => state === 'pending' || state === 'aborting'
