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
  codCurrency: true,
  codCollectedMinor: true,
  feeMinor: true,
  deliveryCommissionMinor: true,
  source: true,
  scheduledPickupAt: true,
  deliveryWindowEnd: true,
  orderCreatedAt: true,
  payoutMinor: true,
  payoutCurrency: true,
  search: true,
  rehearsal: true,
  advancedSeconds: true,
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
const NAMES = PROPERTIES.map(columnOf)
const COLUMNS = NAMES.join(', ')

/** Before the id of every order. */
const NO_ORDER = '00000000-0000-0000-0000-000000000000'
const UPDATE = `UPDATE dispatch_jobs SET (${COLUMNS}) = ROW(${PROPERTIES.map((_, index) => `$${index + 1}`).join(', ')}) WHERE order_id = $1`
/** One text for however many jobs: it is parsed once for them, and each of their fields is written and read once. */
const INSERT = `INSERT INTO dispatch_jobs (${COLUMNS})
   SELECT ${COLUMNS} FROM json_populate_recordset(NULL::dispatch_jobs, $1) ON CONFLICT DO NOTHING
   RETURNING order_id`

const valuesOf = (job: Job): unknown[] =>
  PROPERTIES.map((property) => (property === 'eta' && job.eta ? JSON.stringify(job.eta) : job[property]))

/** What of the job is not null, by column. */
const columnsOf = (job: Job): object =>
  Object.fromEntries(
    PROPERTIES.flatMap((property, index) => (job[property] === null ? [] : [[NAMES[index], job[property]]])),
  )

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

/**
 * Locks so many jobs of live orders, or of those of sandboxes, that no other transaction is at, of whichever merchants: those
 * that have been due longest.
 */
export const claimDueJobs = (tx: Tx, isTest: boolean, limit: number): Promise<Job[]> =>
  rowsOf<Job>(
    tx,
    `SELECT * FROM dispatch_jobs WHERE is_test = $1 AND next_at <= $2 ORDER BY next_at LIMIT $3 FOR UPDATE SKIP LOCKED`,
    [isTest, tx.now, limit],
  )

/** Locks the job where it is due and no other transaction is at it. */
export const claimDueJob = (tx: Tx, orderId: string): Promise<Job | null> =>
  rowOf<Job>(tx, 'SELECT * FROM dispatch_jobs WHERE order_id = $1 AND next_at <= $2 FOR UPDATE SKIP LOCKED', [
    orderId,
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
export const insertJob = async (tx: Tx, job: Job): Promise<boolean> => (await insertJobs(tx, [job])).size === 1

/** Adds the jobs of orders that have none, in one statement; answers which orders these are. At most some hundreds at once. */
export async function insertJobs(tx: Tx, jobs: readonly Job[]): Promise<Set<string>> {
  if (jobs.length === 0) return new Set()
  const added = await rowsOf<{ orderId: string }>(tx, INSERT, [JSON.stringify(jobs.map(columnsOf))])
  return new Set(added.map(({ orderId }) => orderId))
}

/** Writes the job whole. The caller holds its lock. */
export async function saveJob(tx: Tx, job: Job): Promise<void> {
  await write(tx, UPDATE, valuesOf(job))
}

/** Writes how the search goes on for these jobs, and nothing else of them. The caller holds their locks. */
export async function saveSearches(tx: Tx, jobs: readonly Job[]): Promise<void> {
  if (jobs.length === 0) return
  await write(
    tx,
    `UPDATE dispatch_jobs j
        SET search = s.search, round = s.round, step = s.step, search_started_at = s.search_started_at,
            delayed_at = s.delayed_at, next_at = s.next_at
       FROM unnest($1::uuid[], $2::text[], $3::int[], $4::int[], $5::timestamptz[], $6::timestamptz[], $7::timestamptz[])
              AS s (order_id, search, round, step, search_started_at, delayed_at, next_at)
      WHERE j.order_id = s.order_id`,
    [
      jobs.map(({ orderId }) => orderId),
      jobs.map(({ search }) => search),
      jobs.map(({ round }) => round),
      jobs.map(({ step }) => step),
      jobs.map(({ searchStartedAt }) => searchStartedAt),
      jobs.map(({ delayedAt }) => delayedAt),
      jobs.map(({ nextAt }) => nextAt),
    ],
  )
}

/** Where a job stands in the order of their ages. */
export type Age = Pick<Job, 'orderCreatedAt' | 'orderId'>

/** Jobs that were offered and of which it is not known what a rider would earn: the oldest of those that come after this one. */
export const unplannedJobs = (source: Source, limit: number, after: Age | null): Promise<Job[]> =>
  rowsOf<Job>(
    source,
    `SELECT * FROM dispatch_jobs
      WHERE payout_minor IS NULL AND search IN ('searching', 'exhausted') AND round > 0
        AND (order_created_at, order_id) > (coalesce($2, '-infinity'::timestamptz), coalesce($3, '${NO_ORDER}'::uuid))
      ORDER BY order_created_at, order_id LIMIT $1`,
    [limit, after?.orderCreatedAt ?? null, after?.orderId ?? null],
  )

/** What the rider of an order would earn. */
export interface PlannedPayout {
  orderId: string
  amountMinor: number
  currency: string
}

/** Keeps what the riders of these orders would earn. */
export async function savePayouts(source: Source, planned: readonly PlannedPayout[]): Promise<void> {
  if (planned.length === 0) return
  await write(
    source,
    `UPDATE dispatch_jobs j SET payout_minor = p.amount_minor, payout_currency = p.currency
       FROM unnest($1::uuid[], $2::bigint[], $3::text[]) AS p (order_id, amount_minor, currency)
      WHERE j.order_id = p.order_id`,
    [
      planned.map(({ orderId }) => orderId),
      planned.map(({ amountMinor }) => amountMinor),
      planned.map(({ currency }) => currency),
    ],
  )
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
