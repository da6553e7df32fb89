import type { JsonObject } from '@svc/exact-json'
import { offsetOf } from '../../domain/clock-time.ts'
import { addressIn, cutTo, minorIn, numberIn, objectIn, objectsIn, phoneIn, textIn } from '../mapping.ts'
import type { HookFacts, Normalized, ToldItem, ToldOrder } from '../normalizer.ts'
import { type LineField, labelledLines, type ToldLines } from './labelled-lines.ts'
import { mailIn } from './mail.ts'
import { plainText } from './plain-text.ts'

/** Where what was fetched of a mail stands in its record. */
export const FETCHED = 'email_received_body'

const MAX_ITEMS = 200
const MAX_QUANTITY = 10_000
/** Of merchants that have told no other. */
const CURRENCY = 'NGN'
const COUNTRY = 'NG'

/**
 * The order that the labelled lines of a mail tell: of its text, else its page, else its attachments. What it needs and
 * does not tell, and what it tells and nobody can read, is named: nothing is guessed.
 */
export function normalizeMail(body: JsonObject, { timezone = 'UTC' }: HookFacts): Normalized {
  const { emailId, data } = mailIn(body)
  if (emailId === null) return { outcome: 'dead_letter', reason: 'missing_email_id' }
  const told = toldIn(data, objectIn(body[FETCHED]))
  const lacking: LineField[] = []
  const order = orderOf(told, timezone, lacking)
  if (!order || lacking.length > 0) {
    const field = [...new Set(lacking)].map((name) => `standardized.${name}`).join(',')
    return { outcome: 'dead_letter', reason: 'needs_details', field }
  }
  return { outcome: 'order', externalOrderId: emailId, isTest: false, toldAt: null, paymentVerified: false, order }
}

/** What is told where more than one place tells it: by the first. */
function toldIn(data: JsonObject, fetched: JsonObject): ToldLines {
  const texts = [data, fetched].flatMap(({ text, html }) => [textIn(text) ?? '', plainText(textIn(html) ?? '')])
  const read = objectsIn(fetched['attachments']).map(({ text }) => textIn(text) ?? '')
  return Object.assign({}, ...[...texts, ...read].toReversed().map(labelledLines)) as ToldLines
}

function orderOf(told: ToldLines, timezone: string, lacking: LineField[]): ToldOrder | null {
  const one = (field: LineField): string | null => textIn(told[field]?.join(' ')) ?? null
  /** What is told and cannot be read is named. */
  function read<Value>(field: LineField, reader: (text: string) => Value | null): Value | null {
    const text = one(field)
    const value = text === null ? null : reader(text)
    if (text !== null && value === null) lacking.push(field)
    return value
  }
  const dropoff = addressIn(...(told.dropoff_address ?? []))
  const phone = phoneIn(COUNTRY, told.customer_phone?.[0]?.split('(', 1)[0])
  if (dropoff === null) lacking.push('dropoff_address')
  if (phone === null) lacking.push('customer_phone')
  const [name, notes] = [one('customer_name'), textIn(told.notes?.join('\n'))]
  const pickup = read('pickup_address', () => addressIn(...(told.pickup_address ?? [])))
  const instants = (['scheduled_pickup_at', 'delivery_window_start', 'delivery_window_end'] as const).flatMap(
    (field) => {
      const at = read(field, (text) => instantThere(text, timezone))
      return at === null ? [] : [[field, at.toISOString()]]
    },
  )
  const items = (told.items ?? [])
    .flatMap((line) => line.split(/[,;]/))
    .filter((text) => text.trim() !== '')
    .slice(0, MAX_ITEMS)
    .flatMap(itemOf)
  const cod = read('cod_amount_minor', amountIn)
  const weight = read('weight_kg', (text) => positive(numberIn(text.replace(/kgs?\.?$/i, ''))))
  if (dropoff === null || phone === null) return null
  return {
    dropoff_address: dropoff,
    customer_phone: phone,
    ...(name !== null && { customer_name: cutTo(name, 200) }),
    ...(pickup !== null && { pickup_address: pickup }),
    ...Object.fromEntries(instants),
    ...(notes !== null && { notes: cutTo(notes, 2_000) }),
    ...(items.length > 0 && { items }),
    ...(cod !== null && cod),
    ...(weight !== null && { weight_kg: weight }),
  }
}

const positive = (value: number | null): number | null => (value !== null && value > 0 ? value : null)

/** `2 x Jollof rice`, `Jollof rice x 2`, or one of it. */
function itemOf(text: string): ToldItem[] {
  const [, before, named] = /^\s*(\d{1,5})\s*[x×*]\s*(\S.*)$/i.exec(text) ?? []
  const [, name, after] = /^(.{0,299}?\S)\s+[x×*]\s*(\d{1,5})\s*$/i.exec(text.slice(0, 310)) ?? []
  const quantity = Number(before ?? after ?? 1)
  const item = textIn(named ?? name ?? text)
  return item !== null && quantity >= 1 && quantity <= MAX_QUANTITY ? [{ name: cutTo(item, 200), quantity }] : []
}

/** `4,500.50`, `NGN 4500` or `₦4500`; without a currency it is naira. */
function amountIn(text: string): { cod_amount_minor: number; cod_currency: string } | null {
  const [, before, amount, after] =
    /^([a-z]{3})?\s*(?:₦\s*)?([\d,]{1,20}(?:\.\d{1,6})?)\s*([a-z]{3})?$/i.exec(text) ?? []
  if (amount === undefined || (before !== undefined && after !== undefined)) return null
  const currency = (before ?? after ?? CURRENCY).toUpperCase()
  const minor = minorIn(amount.replaceAll(',', ''), currency)
  return minor === null ? null : { cod_amount_minor: minor, cod_currency: currency }
}

const TIME = /^(\d{4}-\d\d-\d\d)[T ,]+(\d\d:\d\d)(?::\d\d(?:\.\d{1,9})?)?\s*(Z|[+-]\d\d:?\d\d)?$/i

/** A day and a time; without a zone as the clocks of the merchant show it. */
function instantThere(text: string, timezone: string): Date | null {
  const [, day, clock, zone] = TIME.exec(text) ?? []
  if (day === undefined) return null
  const told = new Date(
    `${day}T${clock}:00${zone === undefined ? 'Z' : zone.toUpperCase().replace(/(\d\d)(\d\d)$/, '$1:$2')}`,
  )
  if (Number.isNaN(told.getTime())) return null
  return zone === undefined ? new Date(told.getTime() - offsetOf(timezone, told)) : told
}
