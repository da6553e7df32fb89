import type { SettledTotals, Tenant, Totals } from '@svc/database'
import type { Reads, Scope, Tx } from '@svc/transact'
import type { DeliveryStatus } from '../domain/delivery-status.ts'
import { query } from './query.ts'
import { settledDeliveries } from './settled-deliveries.ts'

export interface AttemptRow {
  attempt: number
  at: Date
  duration_ms: number
  status_code: number | null
  error: string | null
  response_snippet: string | null
}

/** A delivery as its owner sees it; spelt as on the wire. */
export interface DeliveryRow {
  id: string
  merchant_id: string
  is_test: boolean
  event_id: string
  event: string
  order_id: string | null
  status: DeliveryStatus
  attempts: number
  next_attempt_at: Date | null
  last_status_code: number | null
  last_error: string | null
  url: string | null
  created_at: Date
  succeeded_at: Date | null
  fault: string | null
  attempts_log: AttemptRow[]
}

export interface DeliveryFilter {
  orderId?: string | undefined
  status?: DeliveryStatus | undefined
  event?: string | undefined
}

const LOGGED_ATTEMPTS = 20
// The attempts come with their row: read apart, a row that counts none could stand beside the first of them.
const COLUMNS = `d.id, d.merchant_id, d.is_test, d.event_id, d.event, d.order_id, d.status, d.attempts, d.next_attempt_at,
  d.last_status_code, d.last_error, d.url, d.created_at, d.succeeded_at, d.fault,
  ARRAY(SELECT to_jsonb(a) FROM (
    SELECT attempt, at, duration_ms, status_code, error, response_snippet FROM attempt
     WHERE delivery_id = d.id ORDER BY at DESC LIMIT ${LOGGED_ATTEMPTS}) a ORDER BY a.at) AS attempts_log`

/** Whether a delivery that is asked for again may go to the live endpoint: not while the sandbox has a URL. */
const TO_LIVE = (row: string) => `(NOT ${row}.is_test OR NOT EXISTS (
  SELECT FROM endpoint o WHERE o.merchant_id = ${row}.merchant_id AND o.test_url IS NOT NULL))`

/** Makes rows claimable now; one whose attempt is running stays with it. */
const queueAgain = (rows: string, now: string) => `
  INSERT INTO queued_delivery AS q (delivery_id, merchant_id, is_test, claimable_at)
  SELECT id, merchant_id, is_test, ${now}::timestamptz FROM ${rows} ORDER BY id
  ON CONFLICT (delivery_id) DO UPDATE
    SET claimable_at = CASE WHEN q.lease_until > ${now} THEN q.lease_until ELSE ${now} END`

/** One page of the tenant's deliveries, newest first, each with its latest attempts, and how many there are. */
export async function listDeliveries(
  { reads, totals, settledTotals }: { reads: Reads; totals: Totals; settledTotals: SettledTotals },
  tenant: Tenant,
  { orderId, status, event }: DeliveryFilter,
  page: { limit: number; offset: number },
): Promise<{ items: DeliveryRow[]; total: number }> {
  const { merchantId, isTest } = tenant
  // What is not asked for is not in the statement: a plan serves each set of filters by the index that fits it.
  const stated = Object.entries({ merchant_id: merchantId, is_test: isTest, order_id: orderId, status, event }).filter(
    ([, value]) => value !== undefined && value !== null,
  )
  const values = stated.map(([, value]) => value)
  const matches = stated.map(([column], index) => `d.${column} = $${index + 1}`).join(' AND ')
  // An order has few.
  const count = orderId === undefined ? settledTotals.of(settledDeliveries(Object.fromEntries(stated))) : undefined
  // Which they are an index alone says; rows that another filter or the offset passes over are not read.
  const text = `SELECT ${COLUMNS} FROM delivery d
      WHERE d.id IN (SELECT d.id FROM delivery d WHERE ${matches} ORDER BY d.created_at DESC, d.id DESC
                      LIMIT $${values.length + 1} OFFSET $${values.length + 2})
      ORDER BY d.created_at DESC, d.id DESC`
  const counting = totals.of(tenant, `delivery d WHERE ${matches}`, values, count)
  const [items, counted] = await reads.together(tenant, [
    { text, params: [...values, page.limit, page.offset], planned: 'each time' },
    ...counting.statements,
  ])
  const shown = await shownTo(reads.in(tenant), tenant, (items as DeliveryRow[]).map(withInstants))
  return { items: shown, total: counting.total(counted?.[0]) }
}

/** The delivery, locked; undefined when it does not exist or lies outside the scope. */
export async function lockDelivery(tx: Tx, scope: Scope, id: string): Promise<DeliveryRow | undefined> {
  const tenant = scope === 'every tenant' ? undefined : scope
  const [row] = await query<DeliveryRow>(
    tx,
    `SELECT ${COLUMNS} FROM delivery d
      WHERE d.id = $1 AND ($2::uuid IS NULL OR d.merchant_id = $2) AND ($3::bool IS NULL OR d.is_test = $3) FOR UPDATE`,
    [id, tenant?.merchantId ?? null, tenant?.isTest ?? null],
  )
  return row && withInstants(row)
}

/**
 * Makes a locked delivery due now with no attempts made. An attempt that is running keeps its lease and becomes the first
 * one, so that the receiver is not called twice.
 */
export async function requeueDelivery(tx: Tx, id: string): Promise<DeliveryRow> {
  const [row] = await query<DeliveryRow>(
    tx,
    `WITH requeued AS (
       UPDATE delivery SET status = 'pending', attempts = 0, next_attempt_at = $2, succeeded_at = NULL,
              requeued_at = $2, expired_at = NULL, to_live = ${TO_LIVE('delivery')}
        WHERE id = $1 RETURNING *),
     queued AS (${queueAgain('requeued', '$2')})
     SELECT ${COLUMNS} FROM requeued d`,
    [id, tx.now],
  )
  if (!row) throw new Error(`delivery ${id} vanished under its lock`)
  return withInstants(row)
}

/**
 * The deliveries as the tenant may see them: events of the sandbox may have gone to the live endpoint, whose URL a test
 * credential is not told.
 */
export async function shownTo(
  tx: Pick<Tx, 'sql'>,
  tenant: Tenant,
  rows: readonly DeliveryRow[],
): Promise<DeliveryRow[]> {
  if (tenant.isTest !== true || rows.length === 0) return [...rows]
  const [endpoint] = await query<{ test_url: string | null }>(
    tx,
    'SELECT test_url FROM endpoint WHERE merchant_id = $1',
    [tenant.merchantId],
  )
  const own = endpoint?.test_url ?? null
  return rows.map((row) => (row.url === own ? row : { ...row, url: null }))
}

/** JSON has no instants of its own. */
const withInstants = (row: DeliveryRow): DeliveryRow => ({
  ...row,
  attempts_log: row.attempts_log.map((attempt) => ({ ...attempt, at: new Date(attempt.at) })),
})

export interface ReplayPeriod {
  since: Date
  until: Date
  events: readonly string[] | null
  status: DeliveryStatus | null
}

const REPLAYED = `e.merchant_id = $1 AND ($2::bool IS NULL OR e.is_test = $2) AND e.occurred_at >= $3 AND e.occurred_at < $4
  AND ($5::text[] IS NULL OR e.event = ANY ($5))
  AND ($6::text IS NULL OR EXISTS (
    SELECT FROM delivery d WHERE d.merchant_id = e.merchant_id AND d.event_id = e.event_id AND d.status = $6))`

const parametersOf = ({ merchantId, isTest }: Tenant, { since, until, events, status }: ReplayPeriod) => [
  merchantId,
  isTest,
  since,
  until,
  events,
  status,
]

/** How many events a replay would queue, counting at most one more than `limit`. */
export async function countReplay(tx: Tx, tenant: Tenant, period: ReplayPeriod, limit: number): Promise<number> {
  const [row] = await query<{ events: number }>(
    tx,
    `SELECT count(*) AS events FROM (SELECT FROM event_log e WHERE ${REPLAYED} LIMIT $7) matching`,
    [...parametersOf(tenant, period), limit + 1],
  )
  return row?.events ?? 0
}

/** Re-queues the delivery of each event, or makes one; event ids stay. */
export async function replayDeliveries(tx: Tx, tenant: Tenant, period: ReplayPeriod): Promise<boolean[]> {
  // By id, as results are stored: the statement below takes them in the order of the events.
  await query(
    tx,
    `SELECT FROM delivery WHERE id IN (
       SELECT r.id FROM event_log e JOIN delivery r ON r.merchant_id = e.merchant_id AND r.event_id = e.event_id
        WHERE ${REPLAYED}) ORDER BY id FOR UPDATE`,
    parametersOf(tenant, period),
  )
  const rows = await query<{ is_test: boolean }>(
    tx,
    `WITH requeued AS (
       INSERT INTO delivery (id, merchant_id, is_test, event_id, event, order_id, occurred_at, traceparent, body,
                             next_attempt_at, created_at, to_live)
       SELECT n.id, e.merchant_id, e.is_test, e.event_id, e.event, e.order_id, e.occurred_at, e.traceparent,
              delivery_body(n.id, e.envelope), $7, $7, ${TO_LIVE('e')}
         FROM event_log e CROSS JOIN LATERAL (SELECT gen_random_uuid() AS id, e.cursor) n
        WHERE ${REPLAYED} ORDER BY e.cursor
       ON CONFLICT (merchant_id, event_id) DO UPDATE SET status = 'pending', attempts = 0, next_attempt_at = $7,
         succeeded_at = NULL, requeued_at = $7, expired_at = NULL, to_live = excluded.to_live
       RETURNING id, merchant_id, is_test)
     ${queueAgain('requeued', '$7')} RETURNING q.is_test`,
    [...parametersOf(tenant, period), tx.now],
  )
  return rows.map(({ is_test }) => is_test)
}
