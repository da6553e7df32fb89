import type { Expiry } from '@svc/lifecycle'
import type { Config } from '../config.ts'
import { oldLoginNetworks } from './login-places.ts'

/** Jobs that go in one transaction: on each hang offers, and rounds that tell of 200 riders. */
const JOBS = 500

const WITH_JOBS = ['dispatch_offers', 'dispatch_rounds', 'rider_active'].map(
  (table) => `DELETE FROM ${table} WHERE order_id IN (SELECT order_id FROM removed)`,
)

/** What goes with its objects, by forgetPhotos. */
export const forgottenPhotos = ({ photoRetentionDays }: Pick<Config, 'photoRetentionDays'>): readonly Expiry[] => [
  { table: 'pod_photos', age: 'created_at', keep: inDays(photoRetentionDays) },
]

type Retention = Pick<Config, 'dispatchRetentionDays' | 'sandboxRetentionDays'>

/** What nobody asks for any more, and for how long it is kept; photos go with their objects, the log of positions by partition. */
export const forgotten = ({
  dispatchRetentionDays: days,
  sandboxRetentionDays: testDays,
}: Retention): readonly Expiry[] => [
  { table: 'dispatch_jobs', age: 'order_created_at', keep: inDays(days), along: WITH_JOBS, chunk: JOBS },
  {
    table: 'dispatch_jobs',
    age: 'order_created_at',
    keep: inDays(Math.min(days, testDays)),
    where: 'is_test',
    along: WITH_JOBS,
    chunk: JOBS,
  },
  { table: 'completed_legs', age: 'completed_at', keep: inDays(days) },
  { table: 'otp_send_log', age: 'created_at', keep: inDays(days) },
  { table: 'sos_alerts', age: 'created_at', keep: inDays(365) },
  // After the end of their time they let nobody in; what they let in is on record.
  { table: 'invite_codes', age: 'expires_at', keep: inDays(90) },
  { table: 'sandbox_advances', age: 'at', keep: inDays(testDays) },
  { table: 'quotes', age: 'expires_at', keep: inDays(1) },
  { table: 'otps', age: 'expires_at', keep: inDays(1) },
  { table: 'code_numbers', age: 'last_at', keep: inDays(1) },
  { table: 'login_codes', age: 'last_at', keep: inDays(1) },
  oldLoginNetworks,
  { table: 'code_merchants', age: 'day', keep: inDays(2) },
]

const inDays = (count: number): string => `${count} * interval '1 day'`
