import { ServiceError } from '@svc/errors'
import type { By, Tenant } from '@svc/grpc'
import type { Tx } from '@svc/transact'
import type { Context } from '../context.ts'
import { addTimers, countOpenOrders, type SimTimer, timersOf } from '../db/sim-timers.ts'
import { storeOrder, within } from '../db/store-order.ts'
import type { NewOrder } from '../domain/new-order.ts'
import { type CreationRequest, type OrderDraft, readDraft } from '../domain/order-draft.ts'
import { readTimes } from '../domain/order-times.ts'
import { withSimulatedTimes } from '../domain/simulated-times.ts'
import { requireSimulator } from '../domain/simulator.ts'
import { writeTenant } from '../domain/tenant.ts'
import type { Creation } from '../messages/creation-reply.ts'
import { answerEarlier } from './answer-earlier.ts'
import { giveToRider } from './give-to-rider.ts'
import { judgeDraft } from './judge-draft.ts'
import { creationOf, newRecord } from './new-record.ts'

export interface SimulatorInput {
  externalOrderId: string
  standardizedJson: string
  /** No webhook for order.created. */
  isMuted: boolean
}

/** Its steps are one such delay apart; null where it does not progress by itself. */
export type StepDelayMs = number | null

export interface SimulatedCreation extends Creation {
  timers: SimTimer[]
}

/**
 * Creates a test order, with the timers of its automatic progress in the same transaction. The same external_order_id
 * again answers the order that exists and starts nothing.
 */
export async function createSimulated(
  ctx: Context,
  by: By<Tenant>,
  input: SimulatorInput,
  stepDelayMs: StepDelayMs,
): Promise<SimulatedCreation> {
  requireSimulator(ctx.config, by.caller)
  const tenant = writeTenant(by.scope)
  const asSent = readDraft(requestOf(input))
  const { refusal, price = null } = await judgeDraft(ctx, by, asSent)

  const attempt = await ctx.transact(tenant, async (tx) => {
    const draft = withTimes(input, asSent, tx.now)
    const times = readTimes(draft.standardized, tx.now)
    if (times instanceof ServiceError) return { draft, refusal: times }
    if (refusal) return { draft, refusal }

    const record = newRecord(ctx, { tenant, draft, times, price, caller: by.caller, isMuted: input.isMuted })
    const { outcome, at } = await storeOrder(within(tx), record)
    if (outcome !== 'created') return { draft, refusal: null }
    const timers = stepDelayMs === null ? [] : await startTimers(ctx, tx, record.order, at, stepDelayMs)
    return { created: { ...creationOf(record, at), timers } }
  })
  if (!attempt.created) {
    const earlier = await answerEarlier(ctx, { tenant, ...attempt })
    return { ...earlier, timers: await ctx.transact(tenant, (tx) => timersOf(tx, earlier.order.id)) }
  }
  const { created } = attempt
  const given = asSent.riderId ? { ...created, ...(await giveToRider(ctx, tenant, created)) } : created
  ctx.relay.wake()
  return given
}

async function startTimers(
  ctx: Context,
  tx: Tx,
  order: NewOrder,
  createdAt: Date,
  stepDelayMs: number,
): Promise<SimTimer[]> {
  const { simulatorOpenOrders: limit } = ctx.config
  const { id: orderId, merchantId } = order
  if ((await countOpenOrders(tx, merchantId)) >= limit) throw new ServiceError('limit_reached', { details: { limit } })
  return addTimers(tx, { orderId, merchantId, createdAt, stepDelayMs })
}

const requestOf = ({ externalOrderId, standardizedJson }: SimulatorInput): CreationRequest => ({
  source: 'simulator',
  externalOrderId,
  standardizedJson,
  rawPayloadJson: '{}',
})

/** The draft with its missing times filled in, and the fingerprint of what was sent without them. */
function withTimes(input: SimulatorInput, asSent: OrderDraft, now: Date): OrderDraft {
  const standardizedJson = JSON.stringify(withSimulatedTimes(asSent.sent, now))
  return { ...readDraft(requestOf({ ...input, standardizedJson })), sent: asSent.sent, fingerprint: asSent.fingerprint }
}
