import { validationError } from '@svc/errors'

export interface CommissionRule {
  amountMinor: number
  vehicleType?: string
  source?: string
}

/** A merchant's own; null follows the operator's value. */
export interface CommissionSettings {
  automation: boolean | null
  triggerStatuses: readonly string[] | null
  merchantDebit: boolean | null
  requirePaymentVerified: boolean | null
  rules: readonly CommissionRule[]
  updatedAt: Date | null
}

/** What holds for a merchant. */
export interface EffectiveCommission {
  automation: boolean
  triggerStatuses: readonly string[]
  merchantDebit: boolean
  requirePaymentVerified: boolean
  rules: readonly CommissionRule[]
  defaultMinor: number
}

export interface CommissionedOrder {
  isTest: boolean
  status?: string
  paymentVerified: boolean
  riderId?: string
  /** What the order itself names. */
  ownAmountMinor?: number
  vehicleType?: string
  source?: string
}

export interface CommissionPlan {
  mode: 'pay' | 'hold_in_escrow' | 'none'
  amountMinor: number
  payer: 'merchant' | 'operator'
  isTrigger: boolean
}

/** A plan, and by which money and settings it was made. */
export interface PlannedCommission extends CommissionPlan {
  currency: string
  requirePaymentVerified: boolean
}

/** A merchant's own settings and what they come to. */
export interface KnownSettings {
  own: CommissionSettings
  effective: EffectiveCommission
}

export type CommissionDefaults = Omit<EffectiveCommission, 'rules'>

export const NO_SETTINGS: CommissionSettings = {
  automation: null,
  triggerStatuses: null,
  merchantDebit: null,
  requirePaymentVerified: null,
  rules: [],
  updatedAt: null,
}

/** A merchant's settings where it has them, the operator's elsewhere. */
export function effectiveCommission(own: CommissionSettings, defaults: CommissionDefaults): EffectiveCommission {
  return {
    automation: own.automation ?? defaults.automation,
    triggerStatuses: own.triggerStatuses ?? defaults.triggerStatuses,
    merchantDebit: own.merchantDebit ?? defaults.merchantDebit,
    requirePaymentVerified: own.requirePaymentVerified ?? defaults.requirePaymentVerified,
    rules: own.rules,
    defaultMinor: defaults.defaultMinor,
  }
}

/** What entering the status means in money. Test orders, orders without a rider and amounts of zero move none. */
export function planCommission(order: CommissionedOrder, settings: EffectiveCommission): CommissionPlan {
  const isTrigger = order.status !== undefined && settings.triggerStatuses.includes(order.status)
  const amountMinor = commissionOf(order, settings)
  const moves = isTrigger && settings.automation && !order.isTest && order.riderId !== undefined && amountMinor > 0
  const isEscrowed = settings.requirePaymentVerified && !order.paymentVerified
  return {
    mode: !moves ? 'none' : isEscrowed ? 'hold_in_escrow' : 'pay',
    amountMinor,
    payer: settings.merchantDebit ? 'merchant' : 'operator',
    isTrigger,
  }
}

/** The order's own amount, else that of the first rule that fits, else the operator's. */
function commissionOf(order: CommissionedOrder, settings: EffectiveCommission): number {
  if (order.ownAmountMinor !== undefined) return order.ownAmountMinor
  const fits = (rule: CommissionRule) =>
    (rule.vehicleType === undefined || rule.vehicleType === order.vehicleType) &&
    (rule.source === undefined || rule.source === order.source)
  return settings.rules.find(fits)?.amountMinor ?? settings.defaultMinor
}

const MAX_STATUSES = 20
const MAX_STATUS_LENGTH = 128
const MAX_RULES = 100

/** Throws validation_error for settings that could not mean anything. Amounts are judged where the message is read. */
export function requireSensible({ triggerStatuses, rules }: CommissionSettings): void {
  const statuses = triggerStatuses ?? []
  if (statuses.length > MAX_STATUSES || statuses.some((status) => status === '' || status.length > MAX_STATUS_LENGTH)) {
    const message = `trigger_statuses must be at most ${MAX_STATUSES} statuses of 1 to ${MAX_STATUS_LENGTH} characters.`
    throw validationError([{ field: 'trigger_statuses', rule: 'range', message, limit: MAX_STATUSES }])
  }
  if (rules.length > MAX_RULES) {
    const message = `rules must be at most ${MAX_RULES}.`
    throw validationError([{ field: 'rules', rule: 'range', message, limit: MAX_RULES }])
  }
}
