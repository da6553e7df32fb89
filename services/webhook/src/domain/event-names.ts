/** The six events that every merchant receives unless it lists its own choice. */
export const DEFAULT_EVENTS = [
  'order.created',
  'order.status_updated',
  'order.rider_assigned',
  'order.accepted',
  'order.picked_up',
  'order.delivered',
] as const

/** Every event that is about an order; what is no default exists only for merchants that list it. */
const ORDER_EVENTS = [
  ...DEFAULT_EVENTS,
  'order.rider_arrived_pickup',
  'order.rider_arrived_dropoff',
  'order.eta_changed',
  'dispatch.delayed',
  'dispatch.exhausted',
] as const

/** About a merchant's withdrawals; only for merchants that list them. */
const WITHDRAWAL_EVENTS = [
  'withdrawal.requested',
  'withdrawal.approved',
  'withdrawal.processing',
  'withdrawal.paid',
  'withdrawal.failed',
  'withdrawal.rejected',
  'withdrawal.cancelled',
] as const

/** About a merchant's top-ups; only for merchants that list them. */
const TOPUP_EVENTS = ['wallet.topup_credited'] as const

/** Every event that a merchant may list. */
export const EVENTS = [...ORDER_EVENTS, ...TOPUP_EVENTS, ...WITHDRAWAL_EVENTS] as const

const DEFAULTS: ReadonlySet<string> = new Set(DEFAULT_EVENTS)
const OPT_INS: ReadonlySet<string> = new Set(EVENTS.filter((event) => !DEFAULTS.has(event)))

/** Whether a fact of this type is an event only where it is listed. */
export const isOptIn = (type: string): boolean => OPT_INS.has(type)

/** Whether a fact of this type is an event of a merchant that lists these; other facts only advance the version. */
export const isEventOf = (type: string, listed: ReadonlySet<string>): boolean =>
  DEFAULTS.has(type) || (OPT_INS.has(type) && listed.has(type))
