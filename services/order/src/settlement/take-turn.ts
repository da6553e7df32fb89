import { type BegunIntent, beginIntent, openIntent, type Tx } from '@svc/outbox'
import type { Act } from '../acts/act.ts'
import type { Context } from '../context.ts'
import { openIntentOf } from '../db/commission-intents.ts'
import { type CommissionedOrder, type CommissionPlan, commissionedOrder, standOf } from '../domain/commission.ts'
import type { Order } from '../domain/order.ts'
import { GIVE_BACK, LEASE_SECONDS, RELEASE, SETTLE, type SettlementIntent } from './settlement-intent.ts'

/** What the wallet said of an act, and of which state of the order. */
export interface MadePlan extends CommissionPlan {
  stand: string
  isEntering: boolean
  riderId: string | undefined
}

/** What an act must know before it can be done. */
export interface Question {
  order: CommissionedOrder
  stand: string
  isEntering: boolean
}

/** What one transaction came to. */
export type Turn<Result> =
  | { state: 'done'; result: Result; isEscrowResolved: boolean }
  | { state: 'unplanned'; question: Question }
  | { state: 'busy'; intentId: string }
  | { state: 'begun'; intent: BegunIntent & { payload: SettlementIntent } }

/** Undoes the transaction and says why. */
class Detour extends Error {
  readonly turn: Extract<Turn<never>, { state: 'unplanned' | 'busy' }>
  constructor(turn: Detour['turn']) {
    super(turn.state)
    this.turn = turn
  }
}

/**
 * Does the act in one transaction where no money depends on it. Where some does, nothing is changed but that, with a
 * plan that still holds, the settlement is begun.
 */
export async function takeTurn<Data extends { orderId: string }, Result>(
  ctx: Context,
  act: Act<Data, Result>,
  data: Data,
  plan: MadePlan | null,
  isShared: boolean,
): Promise<Turn<Result>> {
  try {
    return await ctx.transact(act.scope(data), async (tx): Promise<Turn<Result>> => {
      const order = await act.find(tx, data)
      if (order.settlingId !== null && !act.isHarmless?.(data)) {
        throw new Detour({ state: 'busy', intentId: order.settlingId })
      }
      const holding = plan?.stand === standOf(order) ? plan : null
      if (holding && mustSettle(order, holding)) return begin(tx, order, act, data, holding)
      return perform(ctx, tx, order, act, data, holding, isShared)
    })
  } catch (error) {
    if (error instanceof Detour) return error.turn
    throw error
  }
}

/** What was paid stays paid, and what is held need not be held again. */
const mustSettle = ({ commissionState }: Order, { mode, isEntering }: MadePlan): boolean =>
  isEntering && mode !== 'none' && commissionState !== 'paid' && !(commissionState === 'held' && mode !== 'pay')

async function perform<Data extends { orderId: string }, Result>(
  ctx: Context,
  tx: Tx,
  order: Order,
  act: Act<Data, Result>,
  data: Data,
  plan: MadePlan | null,
  isShared: boolean,
): Promise<Turn<Result>> {
  const { status, paymentVerified } = order
  const stand = standOf(order)
  const isAsked = plan !== null || ctx.wallet === null || order.isTest
  const requirePaymentVerified = isAsked ? (plan?.requirePaymentVerified ?? false) : act.provesPayment === true
  const result = await act.perform({ ctx, tx, order, requirePaymentVerified, isSettled: false, isShared }, data)
  const isEntering = order.status !== status
  const isChanged = isEntering || order.paymentVerified !== paymentVerified
  if (!isAsked && (act.provesPayment ? isChanged : isEntering && dependsOnMoney(order))) {
    const commissioned = commissionedOrder(order, isEntering ? order.status : undefined)
    throw new Detour({ state: 'unplanned', question: { order: commissioned, stand, isEntering } })
  }
  const attempt = order.commissionAttempt
  const way = order.resolveEscrow({ status, paymentVerified }, plan?.isTrigger ?? false)
  if (way !== null) {
    const { id: orderId, merchantId } = order
    const kind = way === 'void' ? GIVE_BACK : RELEASE
    await openIntent(tx, { kind, subjectId: orderId, merchantId, payload: { orderId, attempt } })
  }
  return { state: 'done', result, isEscrowResolved: way !== null }
}

/** Whether the status that was entered may settle a commission, or leave one that is in escrow. */
const dependsOnMoney = ({ riderId, commissionState }: Order): boolean =>
  commissionState !== 'paid' && (riderId !== null || commissionState !== null)

async function begin<Data extends { orderId: string }>(
  tx: Tx,
  order: Order,
  act: Act<Data, unknown>,
  data: Data,
  plan: MadePlan,
): Promise<Extract<Turn<never>, { state: 'begun' }>> {
  const { id: orderId, merchantId } = order
  const open = await openIntentOf(tx, orderId, [RELEASE, GIVE_BACK])
  if (open) throw new Detour({ state: 'busy', intentId: open })
  const { mode, amountMinor, currency, payer, riderId, requirePaymentVerified } = plan
  const payload = {
    settlement: { orderId, merchantId, riderId, amountMinor, currency, mode, payer },
    requirePaymentVerified,
    act: { kind: act.kind, aim: act.aim(data), data },
  } as SettlementIntent
  const settlement = {
    kind: SETTLE,
    subjectId: orderId,
    merchantId,
    payload,
    earlierAttempts: order.settlementAttempts,
  }
  const intent = await beginIntent(tx, settlement, LEASE_SECONDS)
  order.awaitSettlement(intent)
  return { state: 'begun', intent: { ...intent, payload } }
}
