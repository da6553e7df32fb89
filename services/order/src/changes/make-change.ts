import type { OrmTx } from '@svc/transact'
import { resolveEscrow } from '../commissions/escrow.ts'
import { finishSettlement, type SettlementIntent, type Waiting } from '../commissions/finish.ts'
import { makePlan, mustSettle, needsPlan, type Plan, type PlanRequest } from '../commissions/plan.ts'
import { resolveReservation } from '../commissions/reserve.ts'
import {
  awaitOutcome,
  type BegunSettlement,
  beginSettlement,
  declined,
  PATIENCE_MS,
  settledBy,
  undecided,
} from '../commissions/settle.ts'
import type { Context } from '../context.ts'
import { commissionedOrder, fingerprintOf } from '../domain/commission.ts'
import { type Order, refuseDraft } from '../domain/order.ts'
import type { Change, Locked } from './change.ts'

/** What one transaction came to. */
type Step<Result> =
  | { state: 'done'; result: Result; hasIntents: boolean }
  | { state: 'needsPlan'; ask: PlanRequest }
  | { state: 'waitFor'; intentId: string }
  | { state: 'begun'; intent: BegunSettlement }

/** Undoes a change that turned out to need a plan of the wallet. */
class Rollback extends Error {
  readonly ask: PlanRequest
  constructor(ask: PlanRequest) {
    super('the change needs a plan')
    this.ask = ask
  }
}

/**
 * Makes a change, the one way in which an order is altered. A change that enters a status which settles a commission is
 * made only once the wallet has paid or holds it: before that the order is as it was, from then on the change is made,
 * also where this process dies in between. 409 insufficient_merchant_wallet when the wallet declines; 503 with the id of
 * the intent when nothing is known in time.
 */
export async function makeChange<Input extends { orderId: string }, Result>(
  ctx: Context,
  change: Change<Input, Result>,
  input: Input,
): Promise<Result> {
  const startedAt = performance.now()
  const until = startedAt + PATIENCE_MS
  let plan: Plan | null = null
  let isShared = false
  do {
    const step: Step<Result> = await takeStep(ctx, change, input, plan, isShared)
    plan = null
    switch (step.state) {
      case 'done':
        if (step.hasIntents) ctx.intents.wake()
        return step.result
      case 'needsPlan':
        plan = await makePlan(ctx, step.ask)
        break
      case 'waitFor':
        isShared = await awaitOutcome(ctx, step.intentId, change.sameAs(input), startedAt)
        break
      case 'begun': {
        const ended: Ended<Result> = await carryThrough(ctx, change, step.intent, until)
        if (typeof ended === 'object') return ended.result
        isShared = ended
      }
    }
  } while (performance.now() < until)
  throw undecided()
}

/** What the change came to; where another process ended it, whether it is made, to be seen in the order. */
type Ended<Result> = { result: Result } | boolean

/** From the begun settlement to its end. */
async function carryThrough<Input extends { orderId: string }, Result>(
  ctx: Context,
  change: Change<Input, Result>,
  intent: BegunSettlement,
  until: number,
): Promise<Ended<Result>> {
  ctx.failpoint('settlement begun')
  const outcome = await settledBy(ctx, intent, until)
  if (!outcome) throw undecided(intent.id)
  ctx.failpoint('settlement answered')
  const waiting = afterSettlement(ctx, change, intent.payload)
  const finished = await finishSettlement(ctx, intent, outcome, waiting).catch((cause: unknown) => {
    // No error of ours is a refusal: the money has moved, and the workers go on.
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
      return awaitOutcome(ctx, intent.id, intent.payload.act.aim, performance.now())
  }
}

/** The change of an intent, to be made once its commission is settled. */
export function afterSettlement<Input extends { orderId: string }, Result>(
  ctx: Pick<Context, 'config' | 'logger'>,
  change: Change<Input, Result>,
  { requirePaymentVerified, act }: SettlementIntent,
): Waiting<Result> {
  const input = act.data as Input
  const on = (tx: OrmTx, order: Order): Locked => ({
    ctx,
    tx,
    order,
    requirePaymentVerified,
    isSettled: true,
    isShared: false,
  })
  return {
    apply: (tx, order) => change.apply(on(tx, order), input),
    whenDeclined: async (tx, order) => change.whenDeclined?.(on(tx, order), input),
  }
}

/**
 * Makes the change in one transaction where no money depends on it. Where some does, nothing is altered but that, with a
 * plan that still holds, the settlement is begun.
 */
async function takeStep<Input extends { orderId: string }, Result>(
  ctx: Context,
  change: Change<Input, Result>,
  input: Input,
  plan: Plan | null,
  isShared: boolean,
): Promise<Step<Result>> {
  try {
    return await ctx.transact(change.scope(input), async (tx): Promise<Step<Result>> => {
      const order = await change.lock(tx, input)
      refuseDraft(order)
      if (order.settlingId !== null && !change.isHarmless?.(input)) {
        return { state: 'waitFor', intentId: order.settlingId }
      }
      const holding = plan?.fingerprint === fingerprintOf(order) ? plan : null
      if (!holding || !mustSettle(order, holding)) return apply(ctx, tx, order, change, input, holding, isShared)
      const act = { kind: change.kind, aim: change.sameAs(input), data: input }
      return beginSettlement(tx, order, holding, act)
    })
  } catch (error) {
    if (error instanceof Rollback) return { state: 'needsPlan', ask: error.ask }
    throw error
  }
}

async function apply<Input extends { orderId: string }, Result>(
  ctx: Context,
  tx: OrmTx,
  order: Order,
  change: Change<Input, Result>,
  input: Input,
  plan: Plan | null,
  isShared: boolean,
): Promise<Step<Result>> {
  const { status, paymentVerified, riderId, commissionState } = order
  const before = { status, paymentVerified, riderId, commissionState, fingerprint: fingerprintOf(order) }
  const provesPayment = change.provesPayment === true
  const isAsked = plan !== null || order.isTest
  const requirePaymentVerified = isAsked ? (plan?.requirePaymentVerified ?? false) : provesPayment
  const result = await change.apply({ ctx, tx, order, requirePaymentVerified, isSettled: false, isShared }, input)
  if (!isAsked && needsPlan(order, before, provesPayment)) {
    const isEntering = order.status !== status
    const asked = commissionedOrder(order, isEntering ? order.status : undefined)
    throw new Rollback({ order: asked, fingerprint: before.fingerprint, isEntering })
  }
  const isEscrowResolved = await resolveEscrow(tx, order, before, plan?.isTrigger ?? false)
  const isCarriedOtherwise = await resolveReservation(tx, order, before)
  return { state: 'done', result, hasIntents: isEscrowResolved || isCarriedOtherwise }
}
