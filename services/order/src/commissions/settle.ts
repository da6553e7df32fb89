import { setTimeout as sleep } from 'node:timers/promises'
import type { CommissionOutcome } from '@svc/contracts/wallet/v1/commission_service'
import { ServiceError } from '@svc/errors'
import { type BegunIntent, beginIntent } from '@svc/intents'
import type { Tx } from '@svc/transact'
import type { Context } from '../context.ts'
import { type IntentState, intentState, openIntentOf } from '../db/commission-intents.ts'
import type { Order } from '../domain/order.ts'
import { GIVE_BACK, RELEASE } from './escrow.ts'
import type { SettlementIntent } from './finish.ts'
import type { Plan } from './plan.ts'

/** The kind of intents that settle a commission. */
export const SETTLE = 'commission'

/** Longer than an attempt of the process that began it lasts; a process that finishes what it left waits no longer. */
export const LEASE_SECONDS = 5

/** A client waits no longer for the outcome of what it wants, and of what another call wants. */
export const PATIENCE_MS = 4_000
const PATIENCE_WITH_OTHERS_MS = 2_000
/** No further call begins when less is left. */
const ONE_CALL_MS = 1_000
const FIRST_PAUSE_MS = 25
const LONGEST_PAUSE_MS = 400
const RETRY_AFTER_SECONDS = 2

export type BegunSettlement = BegunIntent & { payload: SettlementIntent }

/** Records the settlement to make, by a plan that holds; what is open of the order's escrow comes first. */
export async function beginSettlement(
  tx: Tx,
  order: Order,
  plan: Plan,
  act: SettlementIntent['act'],
): Promise<{ state: 'begun'; intent: BegunSettlement } | { state: 'waitFor'; intentId: string }> {
  const { id: orderId, merchantId, settlementAttempts: earlierAttempts } = order
  const open = await openIntentOf(tx, orderId, [RELEASE, GIVE_BACK])
  if (open) return { state: 'waitFor', intentId: open }
  const { mode, amountMinor, currency, payer, riderId, requirePaymentVerified } = plan
  const settlement = { orderId, merchantId, riderId, amountMinor, currency, mode, payer }
  const payload = { settlement, requirePaymentVerified, act } as SettlementIntent
  const intent = await beginIntent(
    tx,
    { kind: SETTLE, subjectId: orderId, merchantId, payload, earlierAttempts },
    LEASE_SECONDS,
  )
  order.awaitSettlement(intent)
  return { state: 'begun', intent: { ...intent, payload } }
}

/** Asks the wallet, with the same key for as long as the client waits; null when that was not long enough. */
export async function settledBy(
  ctx: Pick<Context, 'wallet' | 'failpoint' | 'logger'>,
  { attempt, payload }: BegunSettlement,
  until: number,
): Promise<CommissionOutcome | null> {
  for await (const _ of pauses(until - ONE_CALL_MS)) {
    ctx.failpoint('settlement due')
    try {
      return await ctx.wallet.settle(payload.settlement, attempt)
    } catch (err) {
      ctx.logger.warn({ err, order_id: payload.settlement.orderId, attempt }, 'the wallet did not answer a settlement')
    }
  }
  return null
}

/**
 * Waits until the intent has ended, holding nothing; true when what was wanted is done. A call that wants the same gets
 * the wallet's refusal; any other call may read the order again.
 */
export async function awaitOutcome(
  { database }: Pick<Context, 'database'>,
  intentId: string,
  aim: string,
  since: number,
): Promise<boolean> {
  let seen = await intentState(database, intentId)
  const isSame = seen.aim === aim
  for await (const _ of pauses(since + (isSame ? PATIENCE_MS : PATIENCE_WITH_OTHERS_MS))) {
    if (!isOpen(seen)) break
    seen = await intentState(database, intentId)
  }
  if (isOpen(seen)) throw undecided(intentId)
  if (isSame && seen.state === 'declined' && seen.outcome) throw declined(seen.outcome)
  return isSame && seen.state === 'applied'
}

const isOpen = ({ state }: IntentState): boolean => state === 'pending' || state === 'aborting'

/** Rounds of a loop that waits: the first at once, the others after pauses that grow, none beyond `until`. */
async function* pauses(until: number): AsyncGenerator<void> {
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
    yield
    if (performance.now() + pauseMs > until) return
    await sleep(pauseMs)
  }
}

/** The wallet said no: the status was not entered. */
export function declined({ required_minor, balance_minor }: CommissionOutcome): ServiceError {
  return new ServiceError('insufficient_merchant_wallet', { details: { required_minor, balance_minor } })
}

/** Nothing is known yet; the intent goes on, and the same request again shares its outcome. */
export function undecided(intentId?: string, cause?: unknown): ServiceError {
  return new ServiceError('service_unavailable', {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
    cause,
    ...(intentId !== undefined && { details: { intent_id: intentId } }),
  })
}
