/** What the operator lets merchants cancel: anything not completed, or only what no rider has collected. */
export type CancelPolicy = 'default' | 'before_pickup'

const PROTECTED: Readonly<Record<CancelPolicy, ReadonlySet<string>>> = {
  default: new Set(['delivered', 'returned_to_merchant', 'lost_in_transit']),
  before_pickup: new Set(['picked_up', 'in_transit', 'delivered', 'returned_to_merchant', 'lost_in_transit']),
}

/** True when the policy lets an order of this status be cancelled. */
export const mayCancel = (status: string, policy: CancelPolicy): boolean => !PROTECTED[policy].has(status)
