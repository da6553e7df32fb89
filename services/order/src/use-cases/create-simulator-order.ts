import { ServiceError, validationError } from '@svc/errors'
import type { Caller } from '@svc/grpc'
import type { Tx } from '@svc/outbox'
import type { Context } from '../context.ts'
import type { SimTimer } from '../db/sim-timer-entity.ts'
import { addTimers, countOpenOrders, timersOf } from '../db/sim-timers.ts'
import { storeOrder, within } from '../db/store-order.ts'
import type { Order } from '../domain/order.ts'
import { type CreationRequest, type OrderDraft, readDraft } from '../domain/order-draft.ts'
import { readTimes } from '../domain/order-times.ts'
import { withSimulatedTimes } from '../domain/simulated-times.ts'
import type { Creation } from '../messages/creation-reply.ts'
import { answerEarlier } from './answer-earlier.ts'
import { giveToRider } from './give-to-rider.ts'
import { judgeDraft } from './judge-draft.ts'
import { creationOf, newRecord } from './new-record.ts'
import { requireSimulator } from './require-simulator.ts'
import { writeTenant } from './write-tenant.ts'

export interface SimulatorInput {
  externalOrderId: string
  standardizedJson: string
  /** No webhook for order.created. */
  isMuted: boolean
  /** Set when the order is to progress by itself, one step after each such delay. */
  stepDelayMs: number | null
}

export interface SimulatedCreation extends Creation {
  timers: SimTimer[]
}

const MAX_STEP_DELAY_MS = 600_000

/**
 * Creates a test order, with the timers of its automatic progress in the same transaction. The same external_order_id
 * again answers the order that exists and starts nothing.
 */
export async function createSimulatorOrder(
  ctx: Context,
  caller: Caller,
  input: SimulatorInput,
): Promise<SimulatedCreation> {
  requireSimulator(ctx, caller)
  checkDelay(input.stepDelayMs)
  const created = await place(ctx, caller, input)
  if (!created.idempotent) {
    ctx.relay.wake()
    if (input.stepDelayMs === 0) ctx.simulator.drive(created.order.id)
    else if (input.stepDelayMs !== null) ctx.simulator.wake()
  }
  return created
}

async function place(ctx: Context, caller: Caller, input: SimulatorInput): Promise<SimulatedCreation> {
  const tenant = writeTenant(caller)
  const asSent = readDraft(requestOf(input))
  const { refusal, price = null } = await judgeDraft(ctx, asSent, caller)

  const attempt = await ctx.transact(tenant, async (tx) => {
    const draft = withTimes(input, asSent, tx.now)
    const times = readTimes(draft.standardized, tx.now)
    if (times instanceof ServiceError) return { draft, refusal: times }
    if (refusal) return { draft, refusal }

    const record = newRecord(ctx, { tenant, draft, times, price, caller, isMuted: input.isMuted })
    const { outcome, at } = await storeOrder(within(tx), record)
    if (outcome !== 'created') return { draft, refusal: null }
    const timers = input.stepDelayMs === null ? [] : await startTimers(ctx, tx, record.order, at, input.stepDelayMs)
    return { created: { ...creationOf(ctx, record, at), timers } }
  })
  if (attempt.created) {
    return asSent.riderId
      ? { ...attempt.created, ...(await giveToRider(ctx, tenant, attempt.created)) }
      : attempt.created
  }
  const earlier = await answerEarlier(ctx, { tenant, ...attempt })
  return { ...earlier, timers: await ctx.transact(tenant, ({ em }) => timersOf(em, earlier.order.id)) }
}

async function startTimers(
  ctx: Context,
  tx: Tx,
  order: Order,
  createdAt: Date,
  stepDelayMs: number,
): Promise<SimTimer[]> {
  const { simulatorOpenOrders: limit } = ctx.config
  const { id: orderId, merchantId } = order
  if ((await countOpenOrders(tx, merchantId)) >= limit) throw new ServiceError('limit_reached', { details: { limit } })
  return addTimers(tx.em, { orderId, merchantId, createdAt, stepDelayMs })
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

function checkDelay(stepDelayMs: number | null): void {
  if (stepDelayMs === null || (stepDelayMs >= 0 && stepDelayMs <= MAX_STEP_DELAY_MS)) return
  const message = `step_delay_ms must be from 0 to ${MAX_STEP_DELAY_MS}.`
  throw validationError([{ field: 'step_delay_ms', rule: 'range', message, limit: MAX_STEP_DELAY_MS }])
}
