import type { JsonObject } from '@svc/exact-json'
import { currencyIn, firstText, idIn, instantIn, minorIn, objectIn, objectsIn, textIn } from '../mapping.ts'

const MAX_WORD_LENGTH = 255

/** A hook of the provider, whichever of its generations it is of. */
export interface PaymentsBEvent {
  /** As the provider names it: charge.completed, CARD_TRANSACTION, transfer.disburse … */
  name: string
  /** Of the event; null where it has none that could be compared. */
  id: string | null
  isCharge: boolean
  /** In lower case: successful, succeeded, failed, pending … */
  status: string
  /** Ours or the shop's. */
  reference: string | null
  /** In major units, as it is written: of generations that differ in everything else it is so in all. */
  amount: string | null
  /** The same in minor units, digit by digit; null where it is no amount. */
  amountMinor: number | null
  currency: string | null
  customer: { name: string | null; phones: readonly unknown[] }
  /** What the shop's checkout has written into it. */
  fields: JsonObject
  createdAt: Date | null
  /** Of the provider's test mode. */
  isTest: boolean
}

/** The event that a body tells of; null where it is of no generation that we know. */
export function readEvent(body: JsonObject): PaymentsBEvent | null {
  const data = objectIn(body['data'])
  const type = word(body['type'])
  if (type !== null && 'webhook_id' in body) return ofFourth(body, type, data)
  const event = word(body['event'])
  if (event !== null) return ofThird(event, data)
  const flat = word(body['event.type'])
  if (flat !== null) return ofSecond(body, flat)
  return 'AmountRefunded' in body ? ofRefund(body) : null
}

function ofFourth(body: JsonObject, name: string, data: JsonObject): PaymentsBEvent {
  const customer = objectIn(data['customer'])
  const { first, middle, last } = objectIn(customer['name'])
  const phone = objectIn(customer['phone'])
  const parts = [first, middle, last].map(textIn).filter((part) => part !== null)
  const [code, number] = [textIn(phone['country_code']), textIn(phone['number'])]
  return {
    name,
    id: word(body['webhook_id']),
    isCharge: name === 'charge.completed',
    ...moneyOf(data),
    reference: idIn(data['reference']),
    customer: {
      name: textIn(customer['name']) ?? firstText(parts.join(' ')),
      phones: [code !== null && number !== null ? `+${code}${number.replace(/^0/, '')}` : customer['phone']],
    },
    fields: fieldsOf(data['meta']),
    createdAt: instantIn(data['created_datetime']),
    isTest: false,
  }
}

function ofThird(name: string, data: JsonObject): PaymentsBEvent {
  const customer = objectIn(data['customer'])
  const money = moneyOf(data)
  return {
    name,
    id: keyOf(name, data['id'], money.status),
    isCharge: name === 'charge.completed',
    ...money,
    reference: idIn(data['tx_ref']) ?? idIn(data['reference']),
    customer: { name: textIn(customer['name']), phones: [customer['phone_number']] },
    fields: fieldsOf(data['meta']),
    createdAt: instantIn(data['created_at']),
    isTest: isOfTestMode(data['flw_ref']),
  }
}

function ofSecond(body: JsonObject, name: string): PaymentsBEvent {
  const transfer = objectIn(body['transfer'])
  const isTransfer = 'transfer' in body
  const data = isTransfer ? transfer : body
  const customer = objectIn(body['customer'])
  const money = moneyOf(data)
  return {
    name,
    id: keyOf(name, data['id'], money.status),
    isCharge: !isTransfer,
    ...money,
    reference: idIn(isTransfer ? data['reference'] : data['txRef']),
    customer: { name: nameIn(customer['fullName']), phones: [customer['phone']] },
    fields: fieldsOf(body['meta']),
    createdAt: instantIn(data['createdAt']) ?? instantIn(data['date_created']),
    isTest: isOfTestMode(data['flwRef']),
  }
}

function ofRefund(body: JsonObject): PaymentsBEvent {
  const money = moneyOf({ ...body, amount: body['AmountRefunded'] })
  return {
    name: 'refund',
    id: keyOf('refund', body['id'], money.status),
    isCharge: false,
    ...money,
    reference: idIn(body['TransactionId']),
    customer: { name: null, phones: [] },
    fields: {},
    createdAt: instantIn(body['createdAt']),
    isTest: isOfTestMode(body['FlwRef']),
  }
}

const word = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' && value.length <= MAX_WORD_LENGTH ? value : null

/** A payment that was pending is told of again, under the same id, when it has succeeded. */
function keyOf(name: string, id: unknown, status: string): string | null {
  const text = idIn(id)
  const key = text === null ? null : `${name}:${text}:${status}`
  return key !== null && key.length <= MAX_WORD_LENGTH ? key : null
}

function moneyOf(data: JsonObject) {
  const currency = currencyIn(data['currency'])
  // What was charged may hold fees; the amount is what the shop asked for.
  const { amount, status } = data
  return {
    status: textIn(status)?.toLowerCase() ?? '',
    amount: textIn(amount),
    amountMinor: minorIn(amount, currency),
    currency,
  }
}

/** The name that the provider gives to whoever has not told one is none. */
const nameIn = (value: unknown): string | null => (value === 'Anonymous customer' ? null : textIn(value))

const isOfTestMode = (reference: unknown): boolean => /^FLW-?MOCK/i.test(textIn(reference) ?? '')

/** An object, its JSON text, or a list of names and values. */
function fieldsOf(meta: unknown): JsonObject {
  if (typeof meta === 'string') return fieldsOfText(meta)
  const listed = objectsIn(meta).flatMap(({ metaname, metavalue }) => {
    const name = textIn(metaname)
    return name === null ? [] : [[name, metavalue] as const]
  })
  return listed.length > 0 ? Object.fromEntries(listed) : objectIn(meta)
}

function fieldsOfText(text: string): JsonObject {
  try {
    return objectIn(JSON.parse(text))
  } catch {
    return {}
  }
}
