import type { FactName } from '@svc/contracts/facts'

/** The six events that every merchant receives unless it lists its own choice. */
export const DEFAULT_EVENTS = [
  'order.created',
  'order.status_updated',
  'order.rider_assigned',
  'order.accepted',
  'order.picked_up',
  'order.delivered',
] as const satisfies readonly FactName[]

/** Every event that is about an order; what is no default exists only for merchants that list it. */
export const ORDER_EVENTS = [
  ...DEFAULT_EVENTS,
  'order.rider_arrived_pickup',
  'order.rider_arrived_dropoff',
  'order.eta_changed',
  'dispatch.delayed',
  'dispatch.exhausted',
] as const satisfies readonly FactName[]

/** About a merchant's withdrawals; only for merchants that list them. */
export const WITHDRAWAL_EVENTS = [
  'withdrawal.requested',
  'withdrawal.approved',
  'withdrawal.processing',
  'withdrawal.paid',
  'withdrawal.failed',
  'withdrawal.rejected',
  'withdrawal.cancelled',
] as const satisfies readonly FactName[]

/** About a merchant's top-ups; only for merchants that list them. */
export const TOPUP_EVENTS = ['wallet.topup_credited'] as const satisfies readonly FactName[]

/** Every event that a merchant may list. */
export const EVENTS = [...ORDER_EVENTS, ...TOPUP_EVENTS, ...WITHDRAWAL_EVENTS] as const

/** What is sent when a merchant tests its endpoint; nobody lists it. */
export const PING = 'webhook.ping'
