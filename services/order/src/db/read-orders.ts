import type { Counting, SettledTotals, Statement, Totals } from '@svc/database'
import { ServiceError } from '@svc/errors'
import { isUuid } from '@svc/inputs'
import type { Reads, Scope } from '@svc/transact'
import { decodeCursor, encodeCursor } from '../domain/cursor.ts'
import type { OrderFields } from '../domain/order.ts'
import type { OrderFilter } from '../domain/order-filter.ts'
import { isRidersOrder, type RiderIdentity } from '../domain/rider-reach.ts'
import { SHOWN, type ShownOrder, TRACKED, type TrackedOrder } from '../domain/shown-order.ts'
import { column } from './functions/create-order.sql.ts'
import { LISTED_BYTES } from './functions/listed-record.sql.ts'
import type { LiveTotals } from './live-totals.ts'
import { type FoundOrders, settledOrders } from './settled-orders.ts'

/** Columns of `o` under the names of their fields; the record as the text that it is. */
const named = (fields: ReadonlyArray<keyof OrderFields>, record = 'o.unified_json::text'): string =>
  fields.map((field) => `${field === 'unifiedJson' ? record : `o.${column(field)}`} AS "${field}"`).join(', ')
const WHOLE = named(SHOWN)
/** The function is called for those records alone that it may cut: what is not compressed is as long as it is stored. */
const LISTED = named(
  SHOWN,
  `CASE WHEN pg_column_compression(o.unified_json) IS NULL AND pg_column_size(o.unified_json) <= ${LISTED_BYTES}
        THEN o.unified_json::text ELSE listed_record(o.unified_json) END`,
)

/** The order; not_found for unknown ids and for those of others alike. */
export async function readOrder(reads: Reads, scope: Scope, id: string): Promise<ShownOrder> {
  if (!isUuid(id)) throw new ServiceError('not_found')
  const { where, params } = matching(scope, { id })
  return found(await reads.byKey<ShownOrder>(scope, `SELECT ${WHOLE} FROM orders o WHERE ${where}`, params))
}

/** An order of the rider; not_found for unknown orders and for those of others alike. */
export async function readRiderOrder(
  reads: Reads,
  scope: Scope,
  rider: RiderIdentity,
  id: string,
): Promise<ShownOrder> {
  const order = await readOrder(reads, scope, id)
  if (!isRidersOrder(order, rider)) throw new ServiceError('not_found')
  return order
}

/** The order behind a tracking link, of any merchant; not_found for an unknown token. */
export async function readTrackedOrder(reads: Reads, trackingToken: string): Promise<TrackedOrder> {
  const columns = `${WHOLE}, ${named(TRACKED)}, app_now() AS now`
  const text = `SELECT ${columns} FROM orders o WHERE tracking_token = $1`
  return found(await reads.byKey<TrackedOrder>('every tenant', text, [trackingToken]))
}

function found<Row>([row]: Row[]): Row {
  if (!row) throw new ServiceError('not_found')
  return row
}

/** Of so many rows a page is not longer than the round trip to it. */
const SHORT_PAGE = 20

export interface Page {
  limit: number
  offset: number
  /** Where an earlier page ended: continue there instead of skipping `offset` rows. */
  cursor?: string | undefined
}

export interface PageOfOrders {
  orders: ShownOrder[]
  /** How many match in all, counted no further than lists are. */
  total: number
  limit: number
  offset: number
  nextCursor: string | undefined
}

/** What knows how many orders lists have. */
interface ListTotals {
  liveTotals: LiveTotals
  foundTotals: SettledTotals
  totals: Totals
}

/** One page of the orders that match every stated filter, newest first; a row is at most 128 KiB. */
export async function pageOfOrders(
  { reads, ...totals }: ListTotals & { reads: Reads },
  scope: Scope,
  filter: OrderFilter,
  page: Page,
): Promise<PageOfOrders> {
  const { limit, offset } = page
  const counting = countingOf(totals, scope, filter)
  const statements = [pageStatement(scope, filter, page), ...counting.statements]
  // Counted so are plain lists, whose page an index has in its order.
  const isShort = counting.isShort && offset + limit <= SHORT_PAGE
  const [rows, counted] = await (isShort ? reads.few(scope, statements) : reads.together(scope, statements))
  const orders = rows as ShownOrder[]
  const last = orders.length === limit ? orders.at(-1) : undefined
  return { orders, total: counting.total(counted?.[0]), limit, offset, nextCursor: last && encodeCursor(last) }
}

/** The ids are found by an index alone, and only their rows are read: with their records cut. */
function pageStatement(scope: Scope, filter: OrderFilter, { limit, offset, cursor }: Page): Statement {
  const after = cursor ? decodeCursor(cursor) : null
  const { where, params, slot } = matching(scope, filter)
  const beyond = after
    ? ` AND (o.created_at, o.id) < (${slot(after.createdAt)}::timestamptz, ${slot(after.id)}::uuid)`
    : ''
  const ids = `SELECT o.id FROM orders o WHERE ${where}${beyond} ORDER BY o.created_at DESC, o.id DESC
                LIMIT ${slot(limit)} OFFSET ${slot(after ? 0 : offset)}`
  // One by one: whatever a plan expects, made as it may be for an empty table, it finds their rows by their key.
  const text = `SELECT listed.* FROM unnest(ARRAY(${ids})) WITH ORDINALITY AS page (id, nth)
                 CROSS JOIN LATERAL (SELECT ${LISTED} FROM orders o WHERE o.id = page.id LIMIT 1) AS listed
                 ORDER BY page.nth`
  return { text, params, planned: isUnfiltered(scope, filter) ? 'once' : 'each time' }
}

/** All orders of a merchant, or all of an environment: an index has them in their order. */
const isUnfiltered = (scope: Scope, filter: OrderFilter): boolean =>
  scope !== 'every tenant' && Object.entries(filter).every(([name, value]) => name === 'isTest' || value === undefined)

/** Where nothing but the environment is asked for, what was counted before is not counted again. */
function countingOf({ liveTotals, foundTotals, totals }: ListTotals, scope: Scope, filter: OrderFilter): Counting {
  if (scope !== 'every tenant' && isUnfiltered(scope, filter)) {
    const { isTest = scope.isTest } = filter
    const isOther = scope.isTest !== null && scope.isTest !== isTest
    const counting = isOther ? null : liveTotals.of({ ...scope, isTest })
    if (counting) return counting
  }
  const { where, params } = matching(scope, filter)
  const list = foundOf(scope, filter)
  return totals.of(scope, `orders o WHERE ${where}`, params, list && foundTotals.of(settledOrders(list)))
}

/** The orders that are looked for, unless in the sandbox alone, or where there are none. */
function foundOf(scope: Scope, { isTest, ...filter }: OrderFilter): FoundOrders | undefined {
  const own = scope === 'every tenant' ? { merchantId: undefined, isTest: null } : scope
  const merchantId = own.merchantId ?? filter.merchantId
  const isOther = filter.merchantId !== undefined && filter.merchantId !== merchantId
  const sides = [own.isTest, isTest ?? null]
  if (isOther || sides.includes(true)) return undefined
  return { isTest: sides.includes(false) ? false : null, filter: { ...filter, merchantId } }
}

/** What the scope may see and every stated field demands, as a condition on `o` with its parameters. */
function matching(scope: Scope, filter: OrderFilter & { id?: string }) {
  const params: unknown[] = []
  const slot = (value: unknown) => `$${params.push(value)}`
  const demands: OrderFilter[] = [filter]
  if (scope !== 'every tenant')
    demands.push({ merchantId: scope.merchantId, ...(scope.isTest !== null && { isTest: scope.isTest }) })
  const conditions = demands.flatMap((demand) =>
    Object.entries(demand).flatMap(([field, value]) =>
      value === undefined ? [] : [`o.${column(field)} = ${slot(value)}`],
    ),
  )
  return { where: conditions.join(' AND ') || 'true', params, slot }
}
