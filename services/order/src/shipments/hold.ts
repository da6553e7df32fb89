import { endIntent, type Intent, untilDone } from '@svc/intents'
import type { Context } from '../context.ts'
import { draftsOf, findShipment, lockShipment, markSubmitted } from '../db/shipments.ts'

/** The kind of intents by which the sum of a shipment is held. */
export const HOLD = 'shipment_hold'

export interface HoldIntent {
  attempt: number
  /** When orders are collected that say nothing of it. */
  defaultPickupAt: string
}

/** What became of a hold, as its intent keeps it. */
export interface HoldOutcome {
  held_minor: number
  required_minor?: number | undefined
  balance_minor?: number | undefined
}

/** Asks the wallet to hold the sum of a draft, and submits the draft in the transaction that ends the intent. */
export async function hold(
  ctx: Pick<Context, 'transact' | 'wallet' | 'beginner' | 'failpoint' | 'reads'>,
  { id, subject_id: shipmentId, payload }: Intent,
): Promise<null> {
  const { attempt, defaultPickupAt } = payload as HoldIntent
  const read = ctx.reads.in('every tenant')
  const shipment = await findShipment(read, 'every tenant', shipmentId)
  const parts = (await draftsOf(read, shipment)).map(({ id: orderId, feeMinor }) => ({
    orderId,
    amountMinor: feeMinor ?? 0,
  }))
  const placed = await untilDone(ctx.wallet.holdShipment(shipment, attempt, parts))
  ctx.failpoint('shipment held')
  await ctx.transact('every tenant', async (tx) => {
    await lockShipment(tx, 'every tenant', shipmentId)
    if (!(await endIntent(tx, id, placed.outcome, placed))) return
    if (placed.outcome === 'declined') return
    await markSubmitted(tx, {
      id: shipmentId,
      holdMinor: placed.held_minor,
      defaultPickupAt: new Date(defaultPickupAt),
    })
    tx.afterCommit(ctx.beginner.wake)
  })
  ctx.failpoint('shipment submitted')
  return null
}
