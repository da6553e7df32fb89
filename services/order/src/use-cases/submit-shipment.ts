import { type FieldFault, ServiceError, validationError } from '@svc/errors'
import type { By, Tenant } from '@svc/grpc'
import { openIntent } from '@svc/intents'
import type { Context } from '../context.ts'
import { noRateCard } from '../creations/draft-shipment.ts'
import { standingRefusal } from '../creations/judge-draft.ts'
import { openIntentOf } from '../db/commission-intents.ts'
import { type DraftOrder, draftsOf } from '../db/shipment-drafts.ts'
import { countHold, findShipment, lockShipment } from '../db/shipments.ts'
import { DEFAULT_LEAD_MS, type Shipment } from '../domain/shipment.ts'
import { type WriteTenant, writeTenant } from '../domain/tenant.ts'
import { HOLD, type HoldIntent, type HoldOutcome, SUBMIT_MS } from '../shipments/hold.ts'

interface Submitted {
  shipment: Shipment
  /** False: it had been submitted before. */
  changed: boolean
}

/**
 * Submits a draft: its sum is held, and its orders begin one after the other. However many ask at once, and whichever
 * process dies, it is submitted once or not at all. Whoever is answered with an error has a draft as before, which is submitted
 * again or cancelled at once and is never submitted by itself; only who else asks at the same time may succeed.
 */
export async function submitShipment(
  ctx: Context,
  by: By<Tenant>,
  { shipmentId }: { shipmentId: string },
): Promise<Submitted> {
  const tenant = writeTenant(by.scope)
  const shipment = await findShipment(ctx.reads.in(tenant), tenant, shipmentId)
  if (isSubmitted(shipment)) return { shipment, changed: false }
  const defaultPickupAt = await judge(ctx, by, shipment)
  return ctx.waiting.during(shipmentId, async () => {
    for (let round = 1; ; round++) {
      const isOurs = await beginHold(ctx, tenant, shipmentId, defaultPickupAt)
      ctx.failpoint('shipment hold begun')
      const driven = await ctx.intents.drive(HOLD, shipmentId)
      const after = await findShipment(ctx.reads.in(tenant), tenant, shipmentId)
      if (isSubmitted(after)) return { shipment: after, changed: isOurs }
      if (driven.state === 'declined') throw insufficient(driven.outcome as HoldOutcome)
      // An attempt of before, of which nobody had the answer, is given up: this is the next one.
      if (driven.state !== 'aborted' || round === 2)
        throw new ServiceError('service_unavailable', { retryAfterSeconds: 2 })
    }
  })
}

/** Whether it was submitted; throws for one that never will be. */
function isSubmitted({ status }: Shipment): boolean {
  if (status === 'cancelled') throw new ServiceError('invalid_state', { details: { status } })
  return status !== 'draft'
}

/** Everything that is asked of a draft and its orders at this moment; answers when those are collected that say nothing. */
async function judge(ctx: Context, by: By<Tenant>, shipment: Shipment): Promise<Date> {
  const refusal = standingRefusal(ctx, by)
  if (refusal) throw refusal
  if (shipment.pickupAddress === null)
    throw validationError([{ field: 'pickup', rule: 'required', message: 'The shipment has no pickup.' }])
  const drafts = await draftsOf(ctx.reads.in(by.scope), shipment)
  refuseLate(drafts)
  return refuseUncovered(ctx, shipment, drafts)
}

function refuseLate(drafts: readonly DraftOrder[]): void {
  const late = drafts.filter(({ isLate }) => isLate)
  const [first] = late
  if (!first) return
  const fields = late.map((draft) => faultOf(draft, 'scheduled_pickup_at', 'in_future', 'must be in the future'))
  const message = `scheduled_pickup_at of row ${first.row} must be in the future.`
  throw new ServiceError('invalid_pickup_time', {
    message,
    details: { field: fields[0]?.field, rule: 'in_future', fields: fields.slice(0, 100) },
  })
}

async function refuseUncovered(ctx: Context, shipment: Shipment, drafts: readonly DraftOrder[]): Promise<Date> {
  const { merchantId, pickupLat, pickupLng } = shipment
  const pickup = pickupLat === null || pickupLng === null ? null : { lat: pickupLat, lng: pickupLng }
  const placed = drafts.flatMap((draft) =>
    draft.dropoffLat === null || draft.dropoffLng === null
      ? []
      : [{ draft, lat: draft.dropoffLat, lng: draft.dropoffLng }],
  )
  const opensFrom = new Date(Date.now() + DEFAULT_LEAD_MS)
  const dropoffs = placed.map(({ lat, lng }) => ({ lat, lng }))
  const estimates = await ctx.dispatch.estimate({ merchantId, pickup, dropoffs, opensFrom }).catch((cause: unknown) => {
    throw new ServiceError('service_unavailable', { cause })
  })
  if (estimates.isPickupOutside && pickup) throw outside('pickup', pickup, [])
  const uncovered = placed.filter((_, nth) => estimates.fares[nth]?.isOutside)
  const [first] = uncovered
  if (first) {
    const fields = uncovered.map(({ draft }) =>
      faultOf(draft, 'dropoff_lat', 'coverage', 'is outside the area that is served'),
    )
    throw outside('dropoff', first, fields)
  }
  if (estimates.card === null && estimates.isPriced) throw noRateCard(pickup)
  return estimates.opensAt ?? opensFrom
}

const faultOf = ({ row }: DraftOrder, field: string, rule: string, words: string): FieldFault => ({
  field: `orders[${row - 1}].${field}`,
  rule,
  message: `${field} of row ${row} ${words}.`,
})

const outside = (point: string, { lat, lng }: { lat: number; lng: number }, fields: readonly FieldFault[]) =>
  new ServiceError('OUT_OF_COVERAGE_AREA', { details: { point, lat, lng, reason: 'outside_zones', fields } })

/** Records that the sum is to be held; true where no other call has done so. */
async function beginHold(ctx: Context, tenant: WriteTenant, shipmentId: string, pickupAt: Date): Promise<boolean> {
  return ctx.transact(tenant, async (tx) => {
    const { id, merchantId, ...shipment } = await lockShipment(tx, tenant, shipmentId)
    if (isSubmitted({ id, merchantId, ...shipment }) || (await openIntentOf(tx, id, [HOLD]))) return false
    const until = new Date(tx.now.getTime() + SUBMIT_MS)
    const payload: HoldIntent = {
      attempt: await countHold(tx, id),
      defaultPickupAt: pickupAt.toISOString(),
      until: until.toISOString(),
    }
    await openIntent(tx, { kind: HOLD, subjectId: id, merchantId, payload }, 'caller')
    return true
  })
}

const insufficient = ({ required_minor, balance_minor }: HoldOutcome): ServiceError =>
  new ServiceError('wallet_insufficient', { details: { required_minor, balance_minor } })
