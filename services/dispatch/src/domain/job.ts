import type { Eta, Order } from '@svc/contracts/order/v1/order'
import type { Vehicle } from '@svc/parcel'

/** Automatic dispatch of one order: idle (off, not yet, or a rider has it), searching, exhausted (waits for its next try) or closed. */
export type Search = 'idle' | 'searching' | 'exhausted' | 'closed'

/** What a scenario of the sandbox has the search find: the sandbox rider, or nobody. */
export type Rehearsal = 'rider' | 'nobody'

/** An order as dispatch knows it, and what it is doing about it. */
export interface Job {
  orderId: string
  merchantId: string
  isTest: boolean
  /** Of the order: which of its facts this is, and the fence of its assignments. */
  orderVersion: number
  status: string
  riderId: string | null
  /** The rider has said yes or collected by an act of its own; an assignment alone binds no freelancer to other merchants. */
  riderActed: boolean
  assignmentVersion: number
  pickupAddress: string
  pickupLat: number | null
  pickupLng: number | null
  dropoffAddress: string
  dropoffLat: number | null
  dropoffLng: number | null
  vehicleType: Vehicle | null
  codAmountMinor: number | null
  /** Null: the merchant's own. */
  codCurrency: string | null
  /** What the customer has paid; null: nothing yet. */
  codCollectedMinor: number | null
  /** What the delivery costs the merchant; null: it was not priced. */
  feeMinor: number | null
  /** What the order itself names as its rider's. */
  deliveryCommissionMinor: number | null
  source: string
  scheduledPickupAt: Date
  deliveryWindowEnd: Date
  orderCreatedAt: Date
  /** What the rider would earn; null until it is known. */
  payoutMinor: number | null
  payoutCurrency: string | null
  search: Search
  /** Riders are looked for at once, wherever it begins and whatever its merchant has set; null: as for any order. */
  rehearsal: Rehearsal | null
  round: number
  /** Which radius of the present pass the round looked in, from 1; 0 between passes. */
  step: number
  searchStartedAt: Date | null
  delayedAt: Date | null
  /** By how much the clock of its sandbox was moved on since it was made: its times are so much nearer. */
  advancedSeconds: number
  /** When the worker looks at it next. */
  nextAt: Date | null
  acceptedAt: Date | null
  pickupLegMetres: number | null
  arrivedPickupAt: Date | null
  departedAt: Date | null
  arrivedDropoffAt: Date | null
  pickedUpAt: Date | null
  eta: RecordedEta | null
}

/** The estimate last reported to the order, and when estimates were last made. */
export interface RecordedEta extends Eta {
  computed_at: string
}

const CARRIED: ReadonlySet<string> = new Set(['picked_up', 'in_transit'])
const UNTOUCHED = {
  payoutMinor: null,
  payoutCurrency: null,
  search: 'idle',
  rehearsal: null,
  advancedSeconds: 0,
  round: 0,
  step: 0,
  searchStartedAt: null,
  delayedAt: null,
  acceptedAt: null,
  pickupLegMetres: null,
  arrivedPickupAt: null,
  departedAt: null,
  arrivedDropoffAt: null,
  pickedUpAt: null,
  eta: null,
  nextAt: null,
} as const

/** The job after the order became this; `at` is the time of what was heard. */
export function jobAfter(previous: Job | null, order: Order, at: Date): Job {
  const changedAt = order.updated_at ? new Date(order.updated_at) : at
  const riderId = order.rider?.id ?? null
  const isSameRider = previous?.riderId === riderId
  const progress = previous ?? UNTOUCHED
  return {
    ...UNTOUCHED,
    ...previous,
    ...recordOf(order, at, progress.advancedSeconds),
    riderId,
    // Absent in facts of orders from before it was kept.
    riderActed: order.rider_acted ?? true,
    ...(isSameRider ? {} : { arrivedPickupAt: null, departedAt: null, arrivedDropoffAt: null, eta: null }),
    acceptedAt: acceptedAt(progress.acceptedAt, order.status, isSameRider, changedAt),
    pickupLegMetres: isSameRider && order.status !== 'pending' ? progress.pickupLegMetres : null,
    pickedUpAt: pickedUpAt(progress.pickedUpAt, order.status, changedAt),
  }
}

function acceptedAt(before: Date | null, status: string, isSameRider: boolean, changedAt: Date): Date | null {
  if (status === 'pending') return null
  if (isSameRider && before) return before
  return status === 'accepted' ? changedAt : null
}

function pickedUpAt(before: Date | null, status: string, changedAt: Date): Date | null {
  if (CARRIED.has(status)) return before ?? changedAt
  return status === 'pending' || status === 'accepted' ? null : before
}

/** The part of the standardized record that dispatch needs; the order service has checked it. */
interface Standardized {
  pickup_address: string
  dropoff_address: string
  vehicle_type_hint?: Vehicle | null
  cod_amount_minor?: number | null
  cod_currency?: string | null
  delivery_commission_minor?: number | null
  scheduled_pickup_at: string
  delivery_window_end: string
}

/** What its rider says of the cash. */
interface Collected {
  collected_minor: number
  rider_id: string
}

interface Unified {
  standardized: Standardized
  cod?: Collected
}

/** Who took the order's cash, whoever the order has been given to since. */
export const collectorOf = ({ unified_json }: Order): string | null =>
  (JSON.parse(unified_json) as Unified).cod?.rider_id ?? null

/** What orders say of themselves. */
function recordOf(order: Order, at: Date, advancedSeconds: number) {
  const { standardized, cod } = JSON.parse(order.unified_json) as Unified
  return {
    orderId: order.id,
    merchantId: order.merchant_id,
    isTest: order.is_test,
    orderVersion: order.version,
    status: order.status,
    assignmentVersion: order.assignment_version,
    pickupAddress: standardized.pickup_address,
    pickupLat: order.pickup?.lat ?? null,
    pickupLng: order.pickup?.lng ?? null,
    dropoffAddress: standardized.dropoff_address,
    dropoffLat: order.dropoff?.lat ?? null,
    dropoffLng: order.dropoff?.lng ?? null,
    vehicleType: standardized.vehicle_type_hint ?? null,
    codAmountMinor: standardized.cod_amount_minor ?? null,
    codCurrency: standardized.cod_currency?.toUpperCase() ?? null,
    codCollectedMinor: cod?.collected_minor || null,
    feeMinor: order.fee_minor ?? null,
    deliveryCommissionMinor: standardized.delivery_commission_minor ?? null,
    source: order.source,
    scheduledPickupAt: before(standardized.scheduled_pickup_at, advancedSeconds),
    deliveryWindowEnd: before(standardized.delivery_window_end, advancedSeconds),
    orderCreatedAt: order.created_at ? new Date(order.created_at) : at,
  }
}

const before = (time: string, seconds: number): Date => new Date(Date.parse(time) - seconds * 1_000)

/** True while the order waits for a rider whom dispatch may look for. */
export const isWaiting = (job: Job): boolean => job.status === 'pending' && job.riderId === null && isSearchable(job)

const isSearchable = ({ pickupLat, rehearsal }: Job): boolean => pickupLat !== null || rehearsal !== null

/** When the worker is to look at a job of which something was heard: at once, or never where no rider can be looked for. */
export const lookAt = (job: Job, now: Date): Date | null => (isSearchable(job) ? now : null)
