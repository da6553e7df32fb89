import { randomUUID } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Idempotency } from '@svc/contracts/common/v1/common'
import { UploadShipmentResponse } from '@svc/contracts/order/v1/shipment_service'
import { type FieldFault, refuseFaults, ServiceError, validationError } from '@svc/errors'
import type { By, Tenant } from '@svc/grpc'
import { type OrmTx, withIdempotency } from '@svc/transact'
import type { Context } from '../context.ts'
import { findShipmentReply, insertDrafts, insertShipment, setTotals, unstageRows } from '../db/shipment-drafts.ts'
import { type NewOrder, newOrder } from '../domain/new-order.ts'
import type { Point } from '../domain/order-draft.ts'
import type { Price } from '../domain/price.ts'
import { DEFAULT_LEAD_MS, type EstimateCard, type Pickup, type Shipment } from '../domain/shipment.ts'
import { type DraftedRow, type ForAllRows, readRow, type SentTimes, timesOf } from '../domain/shipment-row.ts'
import { type WriteTenant, writeTenant } from '../domain/tenant.ts'
import type { Estimates } from '../peers/dispatch.ts'
import { standingRefusal } from './judge-draft.ts'
import { sandboxRefusal } from './sandbox-refusal.ts'
import { sentRows } from './staged-rows.ts'

export interface ShipmentInput {
  uploadId: string
  parts: number
  pickup: Pickup | null
  times: SentTimes
}

/** In which of the two ways the rows came. */
export interface Way {
  source: 'bulk_json' | 'csv_upload'
  /** Of its idempotency keys. */
  route: string
  /** Rows that are wrong fail alone; else one of them refuses all. */
  keepsGoodRows: boolean
  /** What the client calls a row. */
  nameOf(row: number, field: string): string
}

/** A row that became no order. */
type Failed = FieldFault & { row: number }

interface Judged {
  shipment: Shipment
  orders: NewOrder[]
  failed: Failed[]
  count: number
}

const AT_ONCE = 250

/**
 * Drafts a shipment of the staged rows, once for its idempotency key: each row is an order of status draft, of which nobody
 * hears. What was staged is gone afterwards, whatever came of it.
 */
export async function draftShipment(
  ctx: Context,
  by: By<Tenant>,
  way: Way,
  { idempotency, ...input }: ShipmentInput & { idempotency?: Idempotency | undefined },
): Promise<UploadShipmentResponse> {
  const tenant = writeTenant(by.scope)
  try {
    const earlier = idempotency && (await findShipmentReply(ctx.reads.in(tenant), tenant, way.route, idempotency))
    if (earlier) return { ...UploadShipmentResponse.decode(earlier), replayed: true }
    const judged = await judge(ctx, by, tenant, way, input)
    const { reply, replayed } = await ctx.transact(tenant, (tx) =>
      withIdempotency(tx, tenant, way.route, idempotency, async () => ({
        reply: UploadShipmentResponse.encode(await store(tx, way, judged)).finish(),
        resourceId: judged.shipment.id,
      })),
    )
    return { ...UploadShipmentResponse.decode(reply), replayed }
  } finally {
    // Where this fails the rows go within the hour.
    await ctx
      .transact(tenant, (tx) => unstageRows(tx, tenant, input.uploadId))
      .catch((err: unknown) => ctx.logger.warn({ err }, 'staged rows stay for a while'))
  }
}

/** Everything that stands between the rows and their drafts. Nothing is changed but the room of the sandbox. */
async function judge(
  ctx: Context,
  by: By<Tenant>,
  tenant: WriteTenant,
  way: Way,
  input: ShipmentInput,
): Promise<Judged> {
  const refusal = standingRefusal(ctx, by)
  if (refusal) throw refusal
  const now = new Date()
  const common: ForAllRows = {
    shipmentId: randomUUID(),
    source: way.source,
    pickup: input.pickup,
    times: input.times,
    defaultPickupAt: new Date(now.getTime() + DEFAULT_LEAD_MS),
    now,
  }
  const times = timesOf(input.times, common)
  if (times instanceof ServiceError) throw ofShipment(times)
  const { rows, failed, count } = await readRows(ctx, tenant, input, common)
  refuseEmpty(way, rows, failed, count)

  const estimates = await estimate(ctx, tenant, input.pickup, rows)
  const { orders, bytes } = await ordersOf(tenant, common, rows, estimates)
  const full = await sandboxRefusal(ctx, by, bytes)
  if (full) throw full
  return { shipment: shipmentOf(tenant, common, orders, estimates.card), orders, failed, count }
}

async function readRows(ctx: Context, tenant: WriteTenant, input: ShipmentInput, common: ForAllRows) {
  const rows: DraftedRow[] = []
  const failed: Failed[] = []
  let count = 0
  for await (const sent of sentRows(ctx, tenant, input)) {
    count += 1
    const read = readRow(sent, count, common)
    if (!Array.isArray(read)) rows.push(read)
    else for (const fault of read) failed.push({ ...fault, row: count })
  }
  return { rows, failed, count }
}

function refuseEmpty(way: Way, rows: readonly DraftedRow[], failed: readonly Failed[], count: number): void {
  if (count === 0) {
    const field = way.keepsGoodRows ? 'file' : 'orders'
    throw validationError([{ field, rule: 'min', limit: 1, message: `${field} must have at least one row.` }])
  }
  if (rows.length === 0 || !way.keepsGoodRows) refuseFaults(failed.map((fault) => named(way, fault)))
}

function named(way: Way, { row, ...fault }: Failed): FieldFault {
  const field = way.nameOf(row, fault.field)
  return { ...fault, field, message: fault.field === '' ? fault.message : fault.message.replace(fault.field, field) }
}

async function estimate(
  ctx: Context,
  { merchantId }: WriteTenant,
  pickup: Pickup | null,
  rows: readonly DraftedRow[],
): Promise<Estimates> {
  const dropoffs = rows.flatMap(({ draft }) => draft.dropoff ?? [])
  const wanted = { merchantId, pickup: pickup?.point ?? null, dropoffs, opensFrom: null }
  const estimates = await ctx.dispatch.estimate(wanted).catch((cause: unknown) => {
    throw new ServiceError('service_unavailable', { cause })
  })
  if (estimates.card === null && estimates.isPriced) throw noRateCard(pickup?.point ?? null)
  return estimates
}

export function noRateCard(point: Point | null): ServiceError {
  const message = 'No rate card applies.'
  return new ServiceError('OUT_OF_COVERAGE_AREA', {
    message,
    details: { point: 'pickup', lat: point?.lat ?? null, lng: point?.lng ?? null, reason: 'no_rate_card' },
  })
}

/** The orders of the rows, each at its estimate, and how large their records are. */
async function ordersOf(
  tenant: WriteTenant,
  { shipmentId }: ForAllRows,
  rows: readonly DraftedRow[],
  { card, fares, minimumFeeMinor }: Estimates,
): Promise<{ orders: NewOrder[]; bytes: number }> {
  const orders: NewOrder[] = []
  let bytes = 0
  let nth = 0
  for (const { row, draft, times } of rows) {
    const fare = draft.dropoff ? fares[nth++] : undefined
    const price = priceOf(card, fare?.feeMinor ?? minimumFeeMinor)
    const identity = { id: randomUUID(), trackingToken: null, shipmentId, shipmentRow: row, ...tenant }
    orders.push(newOrder(identity, draft, times, price))
    bytes += Buffer.byteLength(draft.unifiedJson)
    if (orders.length % AT_ONCE === 0) await nextTurn()
  }
  return { orders, bytes }
}

function priceOf(card: EstimateCard | null, feeMinor: number | null): Price | null {
  if (card === null || feeMinor === null) return null
  const fee = { feeMinor, currency: card.currency, rateCardId: card.id, rateCardVersion: card.version }
  return { fee, quoteId: null, isOwnFleet: false }
}

const sumOf = (orders: readonly NewOrder[]): number => orders.reduce((sum, { feeMinor }) => sum + (feeMinor ?? 0), 0)

const shipmentOf = (
  tenant: WriteTenant,
  { shipmentId, source, pickup }: ForAllRows,
  orders: readonly NewOrder[],
  card: EstimateCard | null,
): Omit<Shipment, 'createdAt'> & { createdAt: Date } => ({
  ...tenant,
  id: shipmentId,
  source,
  status: 'draft',
  totalOrders: orders.length,
  estimatedFeeMinor: sumOf(orders),
  currency: card?.currency ?? null,
  pickupAddress: pickup?.address ?? null,
  pickupLat: pickup?.point?.lat ?? null,
  pickupLng: pickup?.point?.lng ?? null,
  rateCardId: card?.id ?? null,
  rateCardName: card?.name ?? null,
  holdAttempts: 0,
  holdMinor: null,
  defaultPickupAt: null,
  begunAt: null,
  createdAt: new Date(),
  submittedAt: null,
  completedAt: null,
  cancelledAt: null,
})

/** Keeps what was judged; rows whose external_order_id an order has already fail as all others do. */
async function store(tx: OrmTx, way: Way, judged: Judged): Promise<UploadShipmentResponse> {
  const { orders, count } = judged
  const failed = [...judged.failed]
  const shipment = { ...judged.shipment, createdAt: tx.now }
  await insertShipment(tx, shipment)
  const kept: NewOrder[] = []
  for (let from = 0; from < orders.length; from += AT_ONCE) {
    const batch = orders.slice(from, from + AT_ONCE)
    const stored = await insertDrafts(tx, batch)
    for (const order of batch) {
      if (stored.has(order.id)) kept.push(order)
      else failed.push(duplicateOf(order))
    }
  }
  if (kept.length === 0 || (kept.length < orders.length && !way.keepsGoodRows))
    refuseFaults(failed.map((fault) => named(way, fault)))
  const totals = { ...shipment, totalOrders: kept.length, estimatedFeeMinor: sumOf(kept) }
  if (kept.length < orders.length) await setTotals(tx, totals)
  return {
    shipment_id: shipment.id,
    total_orders: totals.totalOrders,
    estimated_fee_minor: totals.estimatedFeeMinor,
    currency: shipment.currency ?? undefined,
    rows_parsed: count,
    rows_failed: new Set(failed.map(({ row }) => row)).size,
    errors: failed.toSorted((a, b) => a.row - b.row).map(({ row, field, message }) => ({ row, field, message })),
    replayed: false,
  }
}

const duplicateOf = ({ shipmentRow }: NewOrder): Failed => ({
  row: shipmentRow ?? 0,
  field: 'external_order_id',
  rule: 'duplicate_order',
  message: 'external_order_id is that of another order.',
})

/** A time that holds for all rows, by the name that it has in the request. */
function ofShipment({ code, message, details }: ServiceError): ServiceError {
  const field = String(details?.field).replace('standardized.', '')
  return new ServiceError(code, {
    message: message.replaceAll('standardized.', ''),
    details: { ...details, field },
  })
}
