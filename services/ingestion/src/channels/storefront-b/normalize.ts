import type { JsonObject } from '@svc/exact-json'
import {
  addressIn,
  currencyIn,
  cutTo,
  firstText,
  idIn,
  instantIn,
  minorIn,
  numberIn,
  objectIn,
  objectsIn,
  phoneIn,
  textIn,
} from '../mapping.ts'
import type { HookFacts, Normalized, ToldItem, ToldOrder } from '../normalizer.ts'

const CANCELLED: ReadonlySet<string> = new Set(['cancelled', 'refunded', 'trash', 'deleted'])
/** Not paid, and not yet an order to deliver. */
const WAITING: ReadonlySet<string> = new Set(['pending', 'on-hold', 'failed'])
const DRAFTS: ReadonlySet<string> = new Set(['checkout-draft', 'auto-draft', 'draft', 'new'])
const MAX_ITEMS = 200

/** Decided by the body, which is signed; the topic is not, and says only what a body of nothing but an id is. */
export function normalizeStorefrontB(body: JsonObject, { event }: HookFacts): Normalized {
  const externalOrderId = idIn(body['id'])
  if (event === 'order.deleted' && Object.keys(body).every((key) => key === 'id') && externalOrderId !== null)
    return { outcome: 'cancel', externalOrderId, isTest: null, toldAt: null, reason: 'Deleted at the storefront' }
  const status = textIn(body['status'])?.toLowerCase() ?? null
  if (status === null || !('line_items' in body || 'billing' in body))
    return { outcome: 'ignored', reason: 'event_not_used' }
  if (externalOrderId === null) return { outcome: 'dead_letter', reason: 'missing_order_id', field: 'id' }

  const toldAt = firstInstant(body, 'date_modified', 'date_created')
  const about = { externalOrderId, isTest: false, toldAt }
  if (CANCELLED.has(status)) return { outcome: 'cancel', ...about, reason: cutTo(`Storefront: ${status}`, 512) }
  if (DRAFTS.has(status)) return { outcome: 'ignored', reason: 'draft' }
  const paymentVerified = firstText(body['date_paid_gmt'], body['date_paid']) !== null
  // What the shop has brought to its end is no new order; of one that exists the payment follows.
  if (status === 'completed') return { outcome: 'update', ...about, paymentVerified: true }
  if (status !== 'processing' && !WAITING.has(status))
    return { outcome: 'dead_letter', reason: 'unknown_status', field: 'status' }
  return orderOf(body, { ...about, paymentVerified: paymentVerified && !WAITING.has(status) })
}

/** Times of the shop have no zone: those in UTC come first. */
const firstInstant = (body: JsonObject, ...names: string[]): Date | null => {
  for (const name of names) {
    const instant = instantIn(body[`${name}_gmt`]) ?? instantIn(body[name])
    if (instant) return instant
  }
  return null
}

interface Told {
  externalOrderId: string
  isTest: boolean
  toldAt: Date | null
  paymentVerified: boolean
}

function orderOf(body: JsonObject, about: Told): Normalized {
  const [shipping, billing] = [objectIn(body['shipping']), objectIn(body['billing'])]
  const place = textIn(shipping['address_1']) === null ? billing : shipping
  const { address_1, address_2, city, state, postcode, country } = place
  const dropoff = textIn(address_1) === null ? null : addressIn(address_1, address_2, city, state, postcode, country)
  if (dropoff === null)
    return { outcome: 'dead_letter', reason: 'missing_address', field: 'standardized.dropoff_address' }
  const phone = phoneIn(country, shipping['phone'], billing['phone'])
  if (phone === null) return { outcome: 'dead_letter', reason: 'missing_phone', field: 'standardized.customer_phone' }

  const currency = currencyIn(body['currency'])
  const items = objectsIn(body['line_items'])
    .slice(0, MAX_ITEMS)
    .flatMap((line) => itemOf(line, currency))
  const name = firstText(fullName(shipping), fullName(billing))
  const note = textIn(body['customer_note'])
  const number = textIn(body['number'])
  const notes = [number === null ? null : `#${number}`, textIn(shipping['company']), note]
  const order: ToldOrder = {
    dropoff_address: dropoff,
    customer_phone: phone,
    ...(name !== null && { customer_name: cutTo(name, 200) }),
    ...(items.length > 0 && { items }),
    ...(about.paymentVerified ? {} : cashOf(body, currency)),
    notes: cutTo(notes.filter((line) => line !== null).join('\n'), 2000),
  }
  return { outcome: 'order', ...about, order }
}

const fullName = ({ first_name, last_name }: JsonObject): string | null =>
  firstText([textIn(first_name), textIn(last_name)].filter((part) => part !== null).join(' '))

function itemOf(line: JsonObject, currency: string | null): ToldItem[] {
  const name = textIn(line['name'])
  const sold = numberIn(line['quantity']) ?? 0
  const quantity = Math.ceil(sold)
  if (name === null || quantity < 1 || !Number.isSafeInteger(quantity)) return []
  const sku = textIn(line['sku'])
  // Of a line the total is a text, the price of one a number that may have lost digits.
  const total = minorIn(line['total'], currency)
  const price = total !== null && total % quantity === 0 && sold === quantity ? total / quantity : null
  return [
    {
      name: cutTo(name, 200),
      quantity,
      ...(sku !== null && { sku: cutTo(sku, 200) }),
      ...(price !== null && currency !== null && { unit_price_minor: price, currency }),
    },
  ]
}

/** What the rider collects of an order that is paid for at the door. */
function cashOf(body: JsonObject, currency: string | null) {
  if (textIn(body['payment_method'])?.toLowerCase() !== 'cod') return {}
  const amount = minorIn(body['total'], currency)
  return amount === null || currency === null ? {} : { cod_amount_minor: amount, cod_currency: currency }
}
