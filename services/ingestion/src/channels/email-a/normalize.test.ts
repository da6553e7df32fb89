import { describe, expect, test } from '@jest/globals'
import type { JsonObject } from '@svc/exact-json'
import { cpuMsOf } from '@svc/testing/cpu-ms-of'
import { normalizeMail } from './normalize.ts'

const said = (fetched: JsonObject, data: JsonObject = {}, timezone = 'Africa/Lagos') =>
  normalizeMail(
    { type: 'email.received', data: { email_id: 'e-1', ...data }, email_received_body: fetched },
    { event: 'email.received', headers: {}, receivedAt: new Date('2026-11-23T10:00:00Z'), timezone },
  )

const orderIn = (text: string) => {
  const told = said({ text })
  if (told.outcome !== 'order') throw new Error(JSON.stringify(told))
  return told.order
}

const PLACE = 'Delivery address: 4 Admiralty Way, Lekki\nPhone: 0803 123 4567\n'
const NEEDED = { dropoff_address: '4 Admiralty Way, Lekki', customer_phone: '+2348031234567' }

describe('labelled lines are an order', () => {
  test('under the id of the mail, live and unpaid', () => {
    expect(said({ text: PLACE })).toEqual({
      outcome: 'order',
      externalOrderId: 'e-1',
      isTest: false,
      toldAt: null,
      paymentVerified: false,
      order: NEEDED,
    })
  })

  test.each<[string, string]>([
    ['in another case, with other marks', 'DELIVERY-ADDRESS = 4 Admiralty Way, Lekki\n* Tel.: +234 803 123 4567'],
    ['quoted and emphasised', '> *Deliver to:* 4 Admiralty Way, Lekki\n> **Phone number:** 08031234567'],
    ['with the value below the label', 'Address:\n\n4 Admiralty Way\nLekki\n\nPhone:\n0803 123 4567\n'],
    ['ended by carriage returns', 'Address: 4 Admiralty Way, Lekki\r\nMobile: 0803-123-4567\r\n'],
    ['of two of a conversation the newer', `${PLACE}\n> Address: Elsewhere 9, Ikeja\n> Phone: 08099999999`],
    ['with a remark behind the phone', 'Address: 4 Admiralty Way, Lekki\nPhone: 08031234567 (call first)'],
  ])('%s', (_what, text) => {
    expect(orderIn(text)).toEqual(NEEDED)
  })

  test('with all that they may tell', () => {
    const text = `${PLACE}Customer name: Adaeze Okoro
Pickup: 12 Marina Road, Lagos
Pickup time: 2026-11-23 15:00
Deliver from: 2026-11-23T15:30:00Z
Deliver by: 2026-11-23 18:00+01:00
Items: 2 x Jollof rice, Fanta x 3; Spoon
Cash on delivery: NGN 4,500.50
Weight: 2.5 kg
Notes: ring twice`
    expect(orderIn(text)).toEqual({
      ...NEEDED,
      customer_name: 'Adaeze Okoro',
      pickup_address: '12 Marina Road, Lagos',
      scheduled_pickup_at: '2026-11-23T14:00:00.000Z',
      delivery_window_start: '2026-11-23T15:30:00.000Z',
      delivery_window_end: '2026-11-23T17:00:00.000Z',
      items: [
        { name: 'Jollof rice', quantity: 2 },
        { name: 'Fanta', quantity: 3 },
        { name: 'Spoon', quantity: 1 },
      ],
      cod_amount_minor: 450_050,
      cod_currency: 'NGN',
      weight_kg: 2.5,
      notes: 'ring twice',
    })
  })

  test('of a page, whose tables and lines are read as they are shown', () => {
    const html = `<html><head><style>p{}</style><title>Address: no</title></head><body><!-- Phone: 1 -->
<table><tr><td>Delivery address</td><td>4 Admiralty Way,&nbsp;Lekki</td></tr>
<tr><th>Phone</th><td>0803&#32;123 4567</td></tr></table><script>"Name: nobody"</script></body></html>`
    expect(said({ html })).toMatchObject({ outcome: 'order', order: NEEDED })
  })

  test('of several places: the text comes before the page, and both before what was read of attachments', () => {
    const attachments = [{ id: 'a', text: 'Address: 9 Elsewhere Road\nNotes: from the slip\nPhone: 08031234567' }]
    const told = said({ text: 'Address: 4 Admiralty Way, Lekki', html: '<p>Address: 5 Other Way</p>', attachments })
    expect(told).toMatchObject({ outcome: 'order', order: { ...NEEDED, notes: 'from the slip' } })
  })

  test('that the notice itself holds', () => {
    expect(said({}, { text: PLACE })).toMatchObject({ outcome: 'order', order: NEEDED })
  })
})

describe('nothing is guessed: what is missing or cannot be read is named', () => {
  const lacks = (...names: string[]) => ({
    outcome: 'dead_letter',
    reason: 'needs_details',
    field: names.map((name) => `standardized.${name}`).join(','),
  })

  test.each<[string, string, string[]]>([
    ['no text at all', '', ['dropoff_address', 'customer_phone']],
    ['words without labels', 'Please bring rice to Lekki, 08031234567', ['dropoff_address', 'customer_phone']],
    ['no phone', 'Address: 4 Admiralty Way, Lekki', ['customer_phone']],
    ['a phone that is none', 'Address: 4 Admiralty Way, Lekki\nPhone: ask me', ['customer_phone']],
    ['an address too short to go to', 'Address: x\nPhone: 08031234567', ['dropoff_address']],
    ['a time in words', `${PLACE}Pickup time: tomorrow afternoon`, ['scheduled_pickup_at']],
    ['a day that is none', `${PLACE}Deliver by: 2026-13-40 10:00`, ['delivery_window_end']],
    ['an amount in words', `${PLACE}COD: much`, ['cod_amount_minor']],
    ['an amount in two currencies', `${PLACE}COD: NGN 5 USD`, ['cod_amount_minor']],
    ['a weight of nothing', `${PLACE}Weight: 0`, ['weight_kg']],
  ])('%s', (_what, text, names) => {
    expect(said({ text })).toEqual(lacks(...names))
  })

  test('a mail without an id is no order', () => {
    expect(said({ text: PLACE }, { email_id: null })).toEqual({ outcome: 'dead_letter', reason: 'missing_email_id' })
  })
})

describe('what is made to hurt is read in one pass', () => {
  const blanks = ' '.repeat(60_000)

  test.each<[string, JsonObject]>([
    [
      'tags and labels without end',
      {
        html: `${'<'.repeat(100_000)}${'<!--'.repeat(50_000)}${'<td><script'.repeat(20_000)}`,
        text: `${'a:'.repeat(60_000)}\n${'Phone\t'.repeat(20_000)}`,
      },
    ],
    ['blanks within a value', { text: `Notes: a${blanks}b` }],
    ['blanks within a phone', { text: `Phone: a${blanks}b` }],
    ['blanks within a phone of a page', { html: `<p>Phone: a${' '.repeat(130_000)}b</p>` }],
    ['remarks in a phone that end at no end of a line', { text: `Phone: ${'('.repeat(60_000)}\u2028b` }],
    ['blanks within a weight', { text: `Weight: a${blanks}b` }],
    ['blanks within an amount', { text: `COD: NGN${blanks}b` }],
    ['blanks within a time', { text: `Pickup time: 2026-11-23${blanks}15:00${blanks}b` }],
    ['blanks within an item', { text: `Items: 2${blanks}x${blanks}a${blanks}x` }],
    ['blanks within many items', { text: `Items: ${`a${' '.repeat(308)},`.repeat(200)}` }],
    ['nothing but ends of items', { text: `Items: ${','.repeat(60_000)}` }],
    ['marks before and behind a value', { text: `${'> '.repeat(60_000)}\nAddress: ${'*_|'.repeat(20_000)}a` }],
  ])('%s', async (_what, fetched) => {
    expect(said(fetched)).toMatchObject({ outcome: 'dead_letter' })
    expect(await cpuMsOf(() => said(fetched))).toBeLessThan(200)
  })
})
