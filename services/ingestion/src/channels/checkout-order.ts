import type { JsonObject } from '@svc/exact-json'
import { addressIn, cutTo, firstText, numberIn, objectIn, objectsIn, phoneIn, textIn } from './mapping.ts'
import type { ToldItem, ToldOrder } from './normalizer.ts'

/** Under which names a shop's checkout writes what a delivery needs into the payment. */
const ADDRESS = ['delivery_address', 'dropoff_address', 'shipping_address']
const PHONE = ['recipient_phone', 'customer_phone', 'phone', 'phone_number']
const NAME = ['recipient_name', 'customer_name']
const ITEMS = ['cart_items', 'order_items', 'items']
const NOTES = ['delivery_notes', 'delivery_instructions', 'notes']

const MAX_ITEMS = 200

/** What the payment itself says of who paid. */
export interface Payer {
  name: string | null
  phones: readonly unknown[]
}

/** What keeps a payment from being an order. */
export type Lacking = { lacks: 'address' | 'phone' }

const firstOf = (fields: JsonObject, names: readonly string[]): unknown =>
  names.map((name) => fields[name]).find((value) => value !== undefined && value !== null && value !== '')

const TELLING = [...ADDRESS, ...ITEMS, 'recipient_phone', 'recipient_name', 'delivery_notes', 'delivery_instructions']

/** Whether a checkout has written anything of a delivery into a payment; a phone alone is the payer's. */
export const tellsOfDelivery = (fields: JsonObject): boolean => {
  const told = firstOf(fields, TELLING)
  return told !== undefined && told !== null && told !== ''
}

/** The delivery that a payment is for, by what the checkout has written into it and, for the rest, who paid. */
export function checkoutOrder(fields: JsonObject, payer: Payer, remark: string): ToldOrder | Lacking {
  const place = firstOf(fields, ADDRESS)
  const { line1, line2, address1, address2, street, city, state, country } = objectIn(place)
  const dropoff = addressIn(textIn(place) ?? firstText(line1, address1, street), line2, address2, city, state, country)
  if (dropoff === null) return { lacks: 'address' }
  const phone = phoneIn(undefined, ...PHONE.map((name) => fields[name]), ...payer.phones)
  if (phone === null) return { lacks: 'phone' }

  const name = textIn(firstOf(fields, NAME)) ?? payer.name
  const listed = firstOf(fields, ITEMS)
  const items = objectsIn(listed).slice(0, MAX_ITEMS).flatMap(itemOf)
  const written = textIn(listed)
  const notes = [textIn(firstOf(fields, NOTES)), written === null ? null : `Items: ${written}`, remark]
  const point = [numberIn(fields['dropoff_lat']), numberIn(fields['dropoff_lng'])] as const
  return {
    dropoff_address: dropoff,
    customer_phone: phone,
    ...(name !== null && { customer_name: cutTo(name, 200) }),
    ...pointOf(...point),
    ...(items.length > 0 && { items }),
    notes: cutTo(notes.filter((line) => line !== null).join('\n'), 2000),
  }
}

function pointOf(lat: number | null, lng: number | null) {
  if (lat === null || lng === null || Math.abs(lat) > 90 || Math.abs(lng) > 180) return {}
  return { dropoff_lat: lat, dropoff_lng: lng }
}

function itemOf(line: JsonObject): ToldItem[] {
  const name = firstText(line['name'], line['title'])
  const quantity = numberIn(line['quantity']) ?? 1
  return name !== null && Number.isSafeInteger(quantity) && quantity >= 1 ? [{ name: cutTo(name, 200), quantity }] : []
}
