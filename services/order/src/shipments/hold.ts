import { ServiceError } from '@svc/errors'
import { endIntent, type Intent, untilDone } from '@svc/intents'
import type { Context } from '../context.ts'
import { requestAbort } from '../db/commission-intents.ts'
import { draftsOf } from '../db/shipment-drafts.ts'
import { findShipment, lockShipment, markSubmitted, standingOfHold } from '../db/shipments.ts'

/** The kind of intents by which the sum of a shipment is held. */
export const HOLD = 'shipment_hold'
/** Nobody waits for a submit any longer: what was asked before is given up. */
export const SUBMIT_MS = 25_000

export interface HoldIntent {
  attempt: number
  /** When orders are collected that say nothing of it. */
  defaultPickupAt: string
  /** From then on the shipment is not submitted by it. */
  until: string
}

/** What became of a hold, as its intent keeps it. */
export interface HoldOutcome {
  held_minor: number
  required_minor?: number | undefined
  balance_minor?: number | undefined
}

type Needs = Pick<Context, 'transact' | 'wallet' | 'beginner' | 'failpoint' | 'reads' | 'waiting'>

/**
 * Asks the wallet to hold the sum of a draft, and submits the draft in the transaction that ends the intent, while somebody
 * waits for that. Else, and once anything fails, the attempt is given up: a submit that was answered with an error must not
 * come true later.
 */
export async function hold(ctx: Needs, intent: Intent): Promise<null> {
  const { id, subject_id: shipmentId, payload } = intent
  const { attempt } = payload as HoldIntent
  const standing = await ctx.transact('every tenant', (tx) => standingOfHold(tx, id))
  if (standing === 'ended') return null
  if (standing === 'wanted') {
    // Another process may have somebody who waits.
    if (!ctx.waiting.has(shipmentId)) throw new ServiceError('service_unavailable')
    if (await place(ctx, intent)) return null
  }
  await untilDone(ctx.wallet.giveUpShipment(shipmentId, attempt))
  await untilDone(ctx.transact('every tenant', (tx) => endIntent(tx, id, 'aborted', {})))
  return null
}

/** False where the attempt was given up meanwhile; true also where another process was faster. */
async function place(ctx: Needs, { id, subject_id: shipmentId, payload }: Intent): Promise<boolean> {
  const { attempt, defaultPickupAt } = payload as HoldIntent
  const read = ctx.reads.in('every tenant')
  const shipment = await findShipment(read, 'every tenant', shipmentId)
  const parts = (await draftsOf(read, shipment)).map(({ id: orderId, feeMinor }) => ({
    orderId,
    amountMinor: feeMinor ?? 0,
  }))
  const placed = await ctx.wallet.holdShipment(shipment, attempt, parts).catch(async (cause: unknown) => {
    await ctx.transact('every tenant', (tx) => requestAbort(tx, { kind: HOLD, subjectId: shipmentId }))
    throw new ServiceError('service_unavailable', { cause })
  })
  ctx.failpoint('shipment held')
  const isPlaced = await ctx.transact('every tenant', async (tx) => {
    await lockShipment(tx, 'every tenant', shipmentId)
    const standing = await standingOfHold(tx, id)
    if (standing !== 'wanted') return standing === 'ended'
    await endIntent(tx, id, placed.outcome, placed)
    if (placed.outcome === 'declined') return true
    await markSubmitted(tx, {
      id: shipmentId,
      holdMinor: placed.held_minor,
      defaultPickupAt: new Date(defaultPickupAt),
    })
    tx.afterCommit(ctx.beginner.wake)
    return true
  })
  ctx.failpoint('shipment submitted')
  return isPlaced
}
