/** Where its rider may bring an order from each status: no step is skipped but `in_transit`, none is undone. */
const NEXT: ReadonlyMap<string, readonly string[]> = new Map([
  ['pending', ['accepted']],
  ['accepted', ['picked_up']],
  ['picked_up', ['in_transit', 'delivered', 'returned_to_merchant', 'lost_in_transit']],
  ['in_transit', ['delivered', 'returned_to_merchant', 'lost_in_transit']],
])

/** Every status that a rider may report. */
export const RIDER_STATUSES: readonly string[] = [...new Set([...NEXT.values()].flat())]

/** Those that need a reason. */
export const FAILED_STATUSES: ReadonlySet<string> = new Set(['returned_to_merchant', 'lost_in_transit'])

const UNDER_WAY: ReadonlySet<string> = new Set(['accepted', 'picked_up', 'in_transit'])
const ON_BOARD: ReadonlySet<string> = new Set(['picked_up', 'in_transit'])

/** The statuses that the rider may report next. */
export const nextForRider = (status: string): readonly string[] => NEXT.get(status) ?? []

/** True while a rider who has accepted is at work. */
export const isUnderWay = (status: string): boolean => UNDER_WAY.has(status)

/** True while the rider carries the goods. */
export const isOnBoard = (status: string): boolean => ON_BOARD.has(status)
