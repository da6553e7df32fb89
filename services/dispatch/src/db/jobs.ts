import type { Scope, Tx } from '@svc/transact'
import type { Job } from '../domain/job.ts'
import { columnOf, rowOf, rowsOf, type Source, write } from './rows.ts'

const PROPERTIES = Object.keys({
  orderId: true,
  merchantId: true,
  isTest: true,
  orderVersion: true,
  status: true,
  riderId: true,
  riderActed: true,
  assignmentVersion: true,
  pickupAddress: true,
  pickupLat: true,
  pickupLng: true,
  dropoffAddress: true,
  dropoffLat: true,
  dropoffLng: true,
  vehicleType: true,
  codAmountMinor: true,
  feeMinor: true,
  deliveryCommissionMinor: true,
  source: true,
  scheduledPickupAt: true,
  deliveryWindowEnd: true,
  orderCreatedAt: true,
  payoutMinor: true,
  payoutCurrency: true,
  search: true,
  round: true,
  step: true,
  searchStartedAt: true,
  delayedAt: true,
  nextAt: true,
  acceptedAt: true,
  pickupLegMetres: true,
  arrivedPickupAt: true,
  departedAt: true,
  arrivedDropoffAt: true,
  pickedUpAt: true,
  eta: true,
} satisfies Record<keyof Job, true>) as Array<keyof Job>
const COLUMNS = PROPERTIES.map(columnOf).join(', ')

/** Placeholders of the nth job of a statement. */
const valuesAt = (nth: number): string =>
  PROPERTIES.map((_, index) => `$${nth * PROPERTIES.length + index + 1}`).join(', ')
const UPDATE = `UPDATE dispatch_jobs SET (${COLUMNS}) = ROW(${valuesAt(0)}) WHERE order_id = $1`

const valuesOf = (job: Job): unknown[] =>
  PROPERTIES.map((property) => (property === 'eta' && job.eta ? JSON.stringify(job.eta) : job[property]))

/** The job of an order that the scope reaches, or null. */
export function findJob(source: Source, scope: Scope, orderId: string): Promise<Job | null> {
  const { merchantId, isTest } = scope === 'every tenant' ? { merchantId: null, isTest: null } : scope
  return rowOf<Job>(
    source,
    `SELECT * FROM dispatch_jobs
      WHERE order_id = $1 AND ($2::uuid IS NULL OR merchant_id = $2) AND ($3::boolean IS NULL OR is_test = $3)`,
    [orderId, merchantId, isTest],
  )
}

/** The job of the order, or null; no other transaction changes it, its offers or its rounds until this one ends. */
export const lockJob = (tx: Tx, orderId: string): Promise<Job | null> =>
  rowOf<Job>(tx, 'SELECT * FROM dispatch_jobs WHERE order_id = $1 FOR UPDATE', [orderId])

/** Locks the job that has been due longest and that no other transaction is at; null when there is none. */
export const claimDueJob = (tx: Tx): Promise<Job | null> =>
  rowOf<Job>(tx, 'SELECT * FROM dispatch_jobs WHERE next_at <= $1 ORDER BY next_at LIMIT 1 FOR UPDATE SKIP LOCKED', [
    tx.now,
  ])

/** Has the worker look at the job again after so many seconds. */
export async function setAside(source: Source, orderId: string, seconds: number): Promise<void> {
  await write(source, 'UPDATE dispatch_jobs SET next_at = app_now() + make_interval(secs => $2) WHERE order_id = $1', [
    orderId,
    seconds,
  ])
}

/** Adds the job unless there is one; says which. */
export async function insertJob(tx: Tx, job: Job): Promise<boolean> {
  return (await insertJobs(tx, [job])) === 1
}

/** Adds the jobs of orders that have none, in one statement; answers how many. At most some hundreds at once. */
export async function insertJobs(tx: Tx, jobs: readonly Job[]): Promise<number> {
  if (jobs.length === 0) return 0
  const rows = jobs.map((_, nth) => `(${valuesAt(nth)})`).join(', ')
  const insert = `INSERT INTO dispatch_jobs (${COLUMNS}) VALUES ${rows} ON CONFLICT DO NOTHING`
  return write(tx, insert, jobs.flatMap(valuesOf))
}

/** Writes the job whole. The caller holds its lock. */
export async function saveJob(tx: Tx, job: Job): Promise<void> {
  await write(tx, UPDATE, valuesOf(job))
}

/** Jobs on offer of which it is not known what a rider would earn. */
export const unplannedJobs = (source: Source, limit: number): Promise<Job[]> =>
  rowsOf<Job>(
    source,
    `SELECT * FROM dispatch_jobs WHERE payout_minor IS NULL AND search IN ('searching', 'exhausted') LIMIT $1`,
    [limit],
  )

/** Keeps what the rider of the order would earn. */
export async function savePayout(
  source: Source,
  orderId: string,
  { amountMinor, currency }: { amountMinor: number; currency: string },
): Promise<void> {
  await write(source, 'UPDATE dispatch_jobs SET payout_minor = $2, payout_currency = $3 WHERE order_id = $1', [
    orderId,
    amountMinor,
    currency,
  ])
}

/** Those of the jobs that their riders have been given and have under way, and the time. */
export const jobsCarried = (source: Source, orderIds: readonly string[]): Promise<Array<Job & { now: Date }>> =>
  rowsOf<Job & { now: Date }>(
    source,
    `SELECT j.*, app_now() AS now FROM rider_active a JOIN dispatch_jobs j USING (order_id, rider_id)
      WHERE a.order_id = ANY($1)`,
    [orderIds],
  )

/** Has the worker look now at orders that wait for the opening of their merchant: its schedule has changed. */
export async function lookAgainAtWaiting(tx: Tx, merchantId: string): Promise<void> {
  // A transaction that holds the lock of an order has not read the schedule yet.
  await write(
    tx,
    `UPDATE dispatch_jobs SET next_at = $2 WHERE order_id IN (
       SELECT order_id FROM dispatch_jobs
        WHERE merchant_id = $1 AND status = 'pending' AND search = 'idle' AND next_at > $2
          FOR UPDATE SKIP LOCKED)`,
    [merchantId, tx.now],
  )
}

/** Has the worker look now at orders that automatic dispatch, switched on or off, concerns. */
export async function lookAgainAtSwitched(tx: Tx, merchantId: string, isAutomatic: boolean): Promise<void> {
  // A transaction that holds the lock of an order has not read the settings yet, or has the order looked at again.
  await write(
    tx,
    `UPDATE dispatch_jobs SET next_at = $3 WHERE order_id IN (
       SELECT order_id FROM dispatch_jobs
        WHERE merchant_id = $1 AND status = 'pending' AND $2 = (search = 'idle' AND next_at IS NULL)
          FOR UPDATE SKIP LOCKED)`,
    [merchantId, isAutomatic, tx.now],
  )
}
