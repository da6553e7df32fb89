import type { Expiry } from '@svc/lifecycle'

/**
 * What of the machinery's tables outlived its use, by the indexes of `ExpiryIndexes`. The inbox remembers longer than
 * Kafka keeps facts: a replay must find them there.
 */
export const MACHINERY: readonly Expiry[] = [
  { table: 'outbox', age: 'published_at', keep: `interval '7 days'` },
  { table: 'inbox', age: 'received_at', keep: `interval '30 days'`, clock: 'clock_timestamp()' },
  { table: 'parked', age: 'resolved_at', keep: `interval '30 days'`, clock: 'clock_timestamp()' },
  {
    table: 'intent',
    age: 'created_at',
    keep: `interval '7 days'`,
    where: `state IN ('applied', 'declined', 'aborted')`,
  },
  { table: 'idempotency', age: 'expires_at', keep: `interval '1 hour'` },
]
