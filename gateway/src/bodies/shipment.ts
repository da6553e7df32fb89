import { type Shipment, type ShipmentRow, ShipmentRows } from '@svc/contracts/order/v1/shipment_service'
import { maybe, text } from '@svc/inputs'
import { id, instant, minor, orNull, required, whole } from '@svc/public-bodies'
import * as z from 'zod'
import { latitude, longitude, wholePoints } from './point.ts'

export const SHIPMENT_STATUSES = ['draft', 'submitted', 'dispatching', 'completed', 'cancelled'] as const

export const MAX_ROWS = 5_000
const MIB = 1024 * 1024
/** Of JSON with 5,000 rows: of each field a key, and as many that are not ours. */
export const BULK_LIMITS = { maxBytes: 8 * MIB, maxKeys: 20 * MAX_ROWS }

const row = z
  .object({
    recipient_name: text(200),
    recipient_phone: text(64),
    dropoff_address: text(500, 3),
    dropoff_lat: maybe(latitude),
    dropoff_lng: maybe(longitude),
    package_description: maybe(text(2_000, 0)),
    external_order_id: maybe(text(512)),
  })
  .superRefine(wholePoints(['dropoff_lat', 'dropoff_lng']))
  .meta({ id: 'ShipmentRow' })

const isWellFormed = (words: string): boolean => words.isWellFormed()

/** Where all orders of a shipment are collected. */
export const pickup = z
  .object({ address: text(500, 3).refine(isWellFormed), lat: maybe(latitude), lng: maybe(longitude) })
  .superRefine(wholePoints(['lat', 'lng']))
  .meta({ id: 'ShipmentPickup' })

const time = (description: string) =>
  maybe(z.string().max(64)).meta({ description: `ISO-8601 with offset or Z. ${description}` })

/** JSON text in a field of a form. */
const pickupText = z
  .string()
  .transform((json, ctx): unknown => {
    try {
      const value: unknown = JSON.parse(json)
      // An escape may spell what no text of ours may hold.
      if (!json.includes('\\u0000')) return value
    } catch {}
    ctx.addIssue({ code: 'custom', message: 'pickup must be a JSON object.', params: { rule: 'json' } })
    return z.NEVER
  })
  .pipe(pickup)
  .meta({ override: { type: 'string' }, description: 'A JSON object with address, lat and lng' })

/** When, where the rows say nothing of it. */
export const times = {
  scheduled_pickup_at: time('An hour after the submit unless given, or when dispatch is open next'),
  delivery_window_start: time('The pickup unless given'),
  delivery_window_end: time('Eight hours after the pickup unless given'),
}

export const bulkBody = z.object({
  pickup: maybe(pickup).meta({ description: 'A draft may lack it; submitting takes it' }),
  orders: z.array(row).min(1).max(MAX_ROWS),
  ...times,
})

/** The fields of a form beside its file; an empty one is as good as none. */
export const uploadFields = z.object({
  pickup: z.preprocess((text) => (text === '' ? undefined : text), maybe(pickupText)),
  ...times,
})

/** Of a file with 5,000 rows. */
export const UPLOAD_LIMITS = { maxBytes: 5 * MIB }

const created = {
  shipment_id: id,
  total_orders: whole,
  estimated_fee_minor: minor,
  currency: orNull(z.string()),
}
export const createdShipment = z.object(created)
export const uploadedShipment = z.object({
  ...created,
  rows_parsed: whole,
  rows_failed: whole,
  errors: z.array(z.object({ row: whole, field: z.string(), message: z.string() })),
})

const rateCard = z.object({ id, name: z.string(), currency: z.string() })
const counts = z.object({
  draft: whole,
  pending: whole,
  accepted: whole,
  picked_up: whole,
  in_transit: whole,
  delivered: whole,
  cancelled: whole,
  other: whole,
})

/** In lists without the counts. */
export const shipment = z
  .object({
    id,
    status: z.string(),
    is_test: z.boolean(),
    source: z.string(),
    total_orders: whole,
    estimated_fee_minor: minor,
    hold_minor: orNull(minor),
    currency: orNull(z.string()),
    pickup: orNull(z.object({ address: z.string(), lat: orNull(z.number()), lng: orNull(z.number()) })),
    rate_card: orNull(rateCard),
    created_at: instant,
    submitted_at: orNull(instant),
    completed_at: orNull(instant),
    cancelled_at: orNull(instant),
    counts: orNull(counts),
  })
  .meta({ id: 'Shipment' })

export const submittedShipment = z.object({
  shipment_id: id,
  status: z.string(),
  total_orders: whole,
  hold_minor: minor,
  submitted_at: instant,
  already_submitted: z.literal(true).optional(),
})

/** A message as its body. */
export function shipmentOf(sent: Shipment | undefined) {
  const { pickup: at, ...message } = required(sent)
  return { ...message, pickup: at && { address: at.address, lat: at.point?.lat, lng: at.point?.lng } }
}

type Row = z.output<typeof row>

const rowMessage = ({ dropoff_lat, dropoff_lng, ...sent }: Row): ShipmentRow => ({
  ...sent,
  dropoff_lat: dropoff_lat?.toString(),
  dropoff_lng: dropoff_lng?.toString(),
})

/** What goes in one message, far below what one may hold. */
const PART_ROWS = 250
const PART_CHARACTERS = 256 * 1024

/** Hands rows over part by part, holding no more of them than one part; answers how many parts. */
export async function stageRows(
  rows: Iterable<ShipmentRow> | AsyncIterable<ShipmentRow>,
  stage: (part: number, rows: Buffer) => Promise<unknown>,
): Promise<number> {
  let [part, characters] = [0, 0]
  let held: ShipmentRow[] = []
  const flush = async (): Promise<void> => {
    if (held.length === 0) return
    const bytes = Buffer.from(ShipmentRows.encode({ rows: held }).finish())
    await stage(part, bytes)
    part += 1
    characters = 0
    held = []
  }
  for await (const sent of rows) {
    held.push(sent)
    for (const text of Object.values(sent)) characters += text?.length ?? 0
    if (held.length === PART_ROWS || characters > PART_CHARACTERS) await flush()
  }
  await flush()
  return part
}

/** The rows of a body. */
export const bodyRows = (rows: readonly Row[]): ShipmentRow[] => rows.map(rowMessage)

/** As the service takes it. */
export function pickupMessage(given: z.output<typeof pickup> | undefined) {
  if (!given) return undefined
  const { address, lat, lng } = given
  return { address, point: lat === undefined || lng === undefined ? undefined : { lat, lng } }
}
