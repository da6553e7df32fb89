import type { Expiry } from '@svc/lifecycle'
import { EXPIRED } from './expire.ts'

const along = ['DELETE FROM attempt WHERE delivery_id IN (SELECT id FROM removed)']

/** An order or withdrawal may change long after its last event; forgetting its stream earlier would hold its next fact back for good. */
const STREAM_FACTOR = 12

/**
 * What goes after the retention time: deliveries with an end, events of the pull log, and streams where nothing happens.
 * Deliveries that ended by their age stay as long again.
 */
export const forgotten = (retentionMs: number): readonly Expiry[] => [
  {
    table: 'delivery',
    age: 'created_at',
    keep: milliseconds(retentionMs),
    // What ended by its age before that was dated waits for its date (dateExpired).
    where: `status <> 'pending' AND expired_at IS NULL AND last_error IS DISTINCT FROM '${EXPIRED}'`,
    along,
  },
  {
    table: 'delivery',
    age: 'expired_at',
    keep: milliseconds(retentionMs),
    // An earlier release queues one again without taking its date.
    where: `status <> 'pending' AND expired_at IS NOT NULL`,
    along,
  },
  { table: 'event_log', age: 'occurred_at', keep: milliseconds(retentionMs) },
  { table: 'order_stream', age: 'updated_at', keep: milliseconds(STREAM_FACTOR * retentionMs) },
]

const milliseconds = (count: number): string => `${count} * interval '1 millisecond'`
