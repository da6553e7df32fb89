/** Statuses that end an order; any other string leaves it under way. */
const TERMINAL: ReadonlySet<string> = new Set(['delivered', 'cancelled', 'returned_to_merchant', 'lost_in_transit'])

/** True when the status leaves no work for a rider. */
export const isTerminal = (status: string): boolean => TERMINAL.has(status)
