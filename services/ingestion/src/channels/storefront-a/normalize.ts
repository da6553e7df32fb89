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

const PAID: ReadonlySet<string> = new Set(['paid', 'partially_refunded'])
/** There is nothing to deliver any more, or there never was. */
const UNDONE: ReadonlySet<string> = new Set(['voided', 'refunded'])
const CASH = /cash on delivery|\bcod\b/i
const MAX_ITEMS = 200
const MAX_WEIGHT_KG = 500

/** Events that a person must act upon: the law gives a shop's customers their erasure and their data. */
const FOR_A_PERSON: Readonly<Record<string, string>> = {
  'customers/redact': 'erasure_requested',
  'customers/data_request': 'data_requested',
  'shop/redact': 'erasure_requested',
}

/** Which order a body is about: of an edit or a refund not its own id. Null where it is about none. */
export function orderIdIn(body: JsonObject): string | null {
  if (isEdit(body)) return idIn(objectIn(body['order_edit'])['order_id'])
  return isRefund(body) ? idIn(body['order_id']) : (idIn(body['id']) ?? idIn(body['order_id']))
}

const isEdit = (body: JsonObject): boolean => 'order_edit' in body && !('line_items' in body)
const isRefund = (body: JsonObject): boolean => Array.isArray(body['refund_line_items']) && 'order_id' in body

/** What changes an order is recorded with it, not applied: of a refund the payment follows, told by the order itself. */
function recordedOf(body: JsonObject): string | null {
  if (isEdit(body)) return 'edit_recorded'
  return isRefund(body) ? 'refund_recorded' : null
}

/**
 * Decided by the body, which is signed; the topic is not, and says only what a body that is no whole order is.
 */
export function normalizeStorefrontA(body: JsonObject, { event }: HookFacts): Normalized {
  const forPerson = FOR_A_PERSON[event]
  if (forPerson !== undefined) return { outcome: 'dead_letter', reason: forPerson }
  if (event === 'orders/delete' && Object.keys(body).every((key) => key === 'id')) return deleted(body)
  const recorded = recordedOf(body)
  if (recorded !== null) return { outcome: 'ignored', reason: recorded }
  if (!Array.isArray(body['line_items']) || !('financial_status' in body || 'total_price' in body))
    return { outcome: 'ignored', reason: 'event_not_used' }

  const externalOrderId = idIn(body['id'])
  if (externalOrderId === null) return { outcome: 'dead_letter', reason: 'missing_order_id', field: 'id' }
  const toldAt = instantIn(body['updated_at']) ?? instantIn(body['created_at'])
  const isTest = body['test'] === true
  const about = { externalOrderId, isTest, toldAt }
  if (firstText(body['cancelled_at']) !== null) {
    const why = textIn(body['cancel_reason'])
    const reason = cutTo(`Cancelled at the storefront${why === null ? '' : `: ${why}`}`, 512)
    return { outcome: 'cancel', ...about, reason }
  }
  const financial = textIn(body['financial_status'])?.toLowerCase() ?? ''
  const paymentVerified = PAID.has(financial)
  // What was delivered otherwise, or will not be, is no new order; of one that exists the payment follows.
  if (UNDONE.has(financial) || body['fulfillment_status'] === 'fulfilled')
    return { outcome: 'update', ...about, paymentVerified }
  return orderOf(body, { ...about, paymentVerified, isUnpaid: financial === 'pending' })
}

function deleted(body: JsonObject): Normalized {
  const externalOrderId = idIn(body['id'])
  if (externalOrderId === null) return { outcome: 'dead_letter', reason: 'missing_order_id', field: 'id' }
  return { outcome: 'cancel', externalOrderId, isTest: null, toldAt: null, reason: 'Deleted at the storefront' }
}

interface Told {
  externalOrderId: string
  isTest: boolean
  toldAt: Date | null
  paymentVerified: boolean
  isUnpaid: boolean
}

function orderOf(body: JsonObject, { isUnpaid, ...about }: Told): Normalized {
  const address = objectIn(body['shipping_address'])
  const lines = objectsIn(body['line_items']).filter((line) => line['requires_shipping'] !== false)
  if (Object.keys(address).length === 0 || lines.length === 0) return { outcome: 'ignored', reason: 'no_shipping' }

  const { address1, address2, city, province, zip, country } = address
  const dropoff = addressIn(address1, address2, city, province, zip, country)
  if (dropoff === null)
    return { outcome: 'dead_letter', reason: 'missing_address', field: 'standardized.dropoff_address' }
  const [customer, billing] = [objectIn(body['customer']), objectIn(body['billing_address'])]
  const phone = phoneIn(
    firstText(address['country_code'], billing['country_code']),
    address['phone'],
    body['phone'],
    customer['phone'],
    billing['phone'],
    objectIn(customer['default_address'])['phone'],
  )
  if (phone === null) return { outcome: 'dead_letter', reason: 'missing_phone', field: 'standardized.customer_phone' }

  const name = firstText(address['name'], fullName(address), fullName(customer), billing['name'])
  const weight = weightOf(lines)
  const items = lines.slice(0, MAX_ITEMS).flatMap((line) => itemOf(line, currencyIn(body['currency'])))
  const order: ToldOrder = {
    dropoff_address: dropoff,
    customer_phone: phone,
    ...(name !== null && { customer_name: cutTo(name, 200) }),
    ...pointOf(address),
    ...(weight !== null && { weight_kg: weight }),
    ...(items.length > 0 && { items }),
    ...(isUnpaid ? cashOf(body) : {}),
    notes: notesOf(body, address),
  }
  return { outcome: 'order', ...about, order }
}

const fullName = ({ first_name, last_name }: JsonObject): string | null =>
  firstText([textIn(first_name), textIn(last_name)].filter((part) => part !== null).join(' '))

function pointOf({ latitude, longitude }: JsonObject) {
  const [lat, lng] = [numberIn(latitude), numberIn(longitude)]
  if (lat === null || lng === null || Math.abs(lat) > 90 || Math.abs(lng) > 180) return {}
  return { dropoff_lat: lat, dropoff_lng: lng }
}

const quantityOf = (line: JsonObject): number => {
  const quantity = numberIn(line['current_quantity']) ?? numberIn(line['quantity']) ?? 0
  return Number.isSafeInteger(quantity) ? quantity : Math.ceil(quantity)
}

/** In kilograms; null where it is not known, or beyond what an order may weigh. */
function weightOf(lines: JsonObject[]): number | null {
  const grams = lines.reduce((sum, line) => sum + Math.max(0, numberIn(line['grams']) ?? 0) * quantityOf(line), 0)
  return grams > 0 && grams <= MAX_WEIGHT_KG * 1000 ? grams / 1000 : null
}

function itemOf(line: JsonObject, currency: string | null): ToldItem[] {
  const name = firstText(line['title'], line['name'])
  const quantity = quantityOf(line)
  if (name === null || !(quantity >= 1) || !Number.isSafeInteger(quantity)) return []
  const [sku, price] = [textIn(line['sku']), minorIn(line['price'], currency)]
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
function cashOf(body: JsonObject) {
  const gateways = Array.isArray(body['payment_gateway_names']) ? body['payment_gateway_names'] : [body['gateway']]
  if (!gateways.some((gateway) => CASH.test(textIn(gateway)?.replaceAll('_', ' ') ?? ''))) return {}
  const currency = currencyIn(body['currency'])
  const amount = minorIn(body['total_outstanding'], currency) ?? minorIn(body['total_price'], currency)
  return amount === null || currency === null ? {} : { cod_amount_minor: amount, cod_currency: currency }
}

function notesOf(body: JsonObject, address: JsonObject): string {
  const attributes = objectsIn(body['note_attributes']).map(({ name, value }) => {
    const [label, text] = [textIn(name), textIn(value)]
    return label === null || text === null ? null : `${label}: ${text}`
  })
  const lines = [textIn(body['name']), textIn(address['company']), textIn(body['note']), ...attributes]
  return cutTo(lines.filter((line) => line !== null).join('\n'), 2000)
}
