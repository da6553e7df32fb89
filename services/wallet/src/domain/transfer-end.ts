/** How a transfer ended. */
export type TransferEnd = 'paid' | 'failed' | 'reversed'

const ENDS = new Map<string, TransferEnd>([
  ['success', 'paid'],
  ['failed', 'failed'],
  ['rejected', 'failed'],
  ['blocked', 'failed'],
  // No operator entered the code in time; it is not processed afterwards.
  ['abandoned', 'failed'],
  ['reversed', 'reversed'],
])

/** What the provider's word for a transfer means; null while it may still go either way. */
export const transferEnd = (status: string): TransferEnd | null => ENDS.get(status) ?? null
