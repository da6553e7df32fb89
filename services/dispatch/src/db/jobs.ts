import type { Tx } from '@svc/outbox'
import type { Job } from '../domain/job.ts'

/** Columns by the property that they fill. */
const COLUMNS: Readonly<Record<keyof Job, string>> = {
  orderId: 'order_id',
  merchantId: 'merchant_id',
  isTest: 'is_test',
  orderVersion: 'order_version',
  status: 'status',
  riderId: 'rider_id',
  assignmentVersion: 'assignment_version',
  pickupAddress: 'pickup_address',
  pickupLat: 'pickup_lat',
  pickupLng: 'pickup_lng',
  dropoffAddress: 'dropoff_address',
  dropoffLat: 'dropoff_lat',
  dropoffLng: 'dropoff_lng',
  vehicleType: 'vehicle_type',
  codAmountMinor: 'cod_amount_minor',
  feeMinor: 'fee_minor',
  deliveryCommissionMinor: 'delivery_commission_minor',
  source: 'source',
  scheduledPickupAt: 'scheduled_pickup_at',
  deliveryWindowEnd: 'delivery_window_end',
  orderCreatedAt: 'order_created_at',
  payoutMinor: 'payout_minor',
  payoutCurrency: 'payout_currency',
  search: 'search',
  round: 'round',
  step: 'step',
  searchStartedAt: 'search_started_at',
  delayedAt: 'delayed_at',
  nextAt: 'next_at',
  acceptedAt: 'accepted_at',
  pickupLegMetres: 'pickup_leg_metres',
  arrivedPickupAt: 'arrived_pickup_at',
  departedAt: 'departed_at',
  arrivedDropoffAt: 'arrived_dropoff_at',
  pickedUpAt: 'picked_up_at',
  eta: 'eta',
}
const PROPERTIES = Object.keys(COLUMNS) as Array<keyof Job>
const NAMES = Object.values(COLUMNS)
/** A select list that answers jobs, of a table named `j`. */
export const JOB = PROPERTIES.map((property) => `j.${COLUMNS[property]} AS "${property}"`).join(', ')

/** Placeholders of the nth job of a statement. */
const valuesAt = (nth: number): string => NAMES.map((_, index) => `$${nth * NAMES.length + index + 1}`).join(', ')
const VALUES = valuesAt(0)
const UPDATE = `UPDATE dispatch_jobs SET (${NAMES.join(', ')}) = ROW(${VALUES}) WHERE order_id = $1`

const valuesOf = (job: Job): unknown[] =>
  PROPERTIES.map((property) => (property === 'eta' && job.eta ? JSON.stringify(job.eta) : job[property]))

/** The job of the order, or null; nobody else changes it, its offers or its rounds until the transaction ends. */
export async function lockJob(tx: Tx, orderId: string): Promise<Job | null> {
  const { rows } = await tx.sql<Job>(`SELECT ${JOB} FROM dispatch_jobs j WHERE order_id = $1 FOR UPDATE`, [orderId])
  return rows[0] ?? null
}

/** Locks the job that has been due longest and that nobody else is at; null when there is none. */
export async function claimDueJob(tx: Tx): Promise<Job | null> {
  const { rows } = await tx.sql<Job>(
    `SELECT ${JOB} FROM dispatch_jobs j WHERE next_at <= $1 ORDER BY next_at LIMIT 1 FOR UPDATE SKIP LOCKED`,
    [tx.now],
  )
  return rows[0] ?? null
}

/** Adds the job unless there is one; says which. */
export async function insertJob(tx: Tx, job: Job): Promise<boolean> {
  return (await insertJobs(tx, [job])) === 1
}

/** Adds the jobs of orders that have none, in one statement; answers how many. At most some hundreds at once. */
export async function insertJobs(tx: Tx, jobs: readonly Job[]): Promise<number> {
  if (jobs.length === 0) return 0
  const rows = jobs.map((_, nth) => `(${valuesAt(nth)})`).join(', ')
  const insert = `INSERT INTO dispatch_jobs (${NAMES.join(', ')}) VALUES ${rows} ON CONFLICT DO NOTHING`
  return (await tx.sql(insert, jobs.flatMap(valuesOf))).rowCount
}

/** Writes the job whole. The caller holds its lock. */
export async function saveJob(tx: Tx, job: Job): Promise<void> {
  await tx.sql(UPDATE, valuesOf(job))
}
