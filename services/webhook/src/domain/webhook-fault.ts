export const FAULT_KINDS = ['drop', 'delay', 'duplicate', 'reorder'] as const
export type FaultKind = (typeof FAULT_KINDS)[number]

export const MAX_FAULTS = 50
export const MAX_FAULT_COUNT = 1_000
export const MAX_FAULT_DELAY_MS = 600_000

/** What goes wrong with the next deliveries of a sandbox. */
export interface WebhookFault {
  kind: FaultKind
  /** Of these events alone; empty: of each. */
  events: readonly string[]
  /** Deliveries that meet it. */
  count: number
  delayMs: number
}

/** What the log says of an attempt that was never made. */
export const DROPPED = 'dropped by a fault of the sandbox'
