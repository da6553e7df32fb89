import { beforeAll, beforeEach, expect, test } from '@jest/globals'
import { eventually, sharedMesh } from '@svc/testing'
import { Api, answered, type SignedUp, signUp } from './merchant.ts'

const system = sharedMesh('journeys')
const FEE = 100
const ROWS = 5_000
const PICKUP = { address: '1 Marina Road, Lagos' }
const ROW = { recipient_name: 'Ada Obi', recipient_phone: '08031234567', dropoff_address: '22 Broad Street, Lagos' }

const SELDOM = { intervalMs: 2_000 }

let merchant: SignedUp
let api: Api
beforeAll(async () => {
  const anyone = new Api(system.baseUrl)
  const { body } = await anyone.post('/v1/admin/auth/token', { token: system.adminStaticToken })
  merchant = await signUp(system.baseUrl)
  const card = {
    name: 'Even',
    merchant_id: merchant.merchantId,
    currency: 'NGN',
    base_minor: FEE,
    per_km_minor: 0,
    minimum_minor: FEE,
    vat_percent: 0,
  }
  answered(201, await anyone.bearing(body.access_token).post('/v1/admin/rate-cards', card))
})

// A key of its own for each test, for a key has so many calls a minute.
beforeEach(async () => {
  const { body } = await merchant.owner.post('/v1/me/api-keys', { is_test: true })
  api = new Api(system.baseUrl).bearing(body.api_key)
})

const json = (orders: object[]) => api.post('/v1/shipments/bulk-json', { pickup: PICKUP, orders })

async function upload(csv: string | Uint8Array) {
  const form = new FormData()
  form.set('file', new Blob([csv as string | Uint8Array<ArrayBuffer>]), 'orders.csv')
  form.set('pickup', JSON.stringify(PICKUP))
  const sent = new Request(system.baseUrl, { method: 'POST', body: form })
  const body = new Uint8Array(await sent.arrayBuffer())
  return api.send('POST', '/v1/shipments/upload-csv', body, {
    'content-type': sent.headers.get('content-type') ?? '',
  })
}

const held = async (): Promise<number> => answered(200, await api.get('/v1/me/wallet')).body.wallet.held_minor
const submit = async (id: string) => answered(200, await api.post(`/v1/shipments/${id}/submit`)).body
const counts = async (id: string) =>
  answered(200, await api.get(`/v1/shipments/${id}`)).body.shipment.counts as Record<string, number>

test('five thousand rows by JSON are one draft, one hold of their sum, and as many orders, each of them once', async () => {
  const drafted = answered(201, await json(Array(ROWS).fill(ROW))).body
  expect(drafted).toMatchObject({ total_orders: ROWS, estimated_fee_minor: ROWS * FEE, currency: 'NGN' })
  const before = await held()
  expect(await submit(drafted.shipment_id)).toMatchObject({ status: 'submitted', hold_minor: ROWS * FEE })
  expect((await submit(drafted.shipment_id)).already_submitted).toBe(true)
  expect((await held()) - before).toBe(ROWS * FEE)
  await eventually(async () => expect(await counts(drafted.shipment_id)).toMatchObject({ draft: 0, pending: ROWS }), {
    ...SELDOM,
    timeoutMs: 400_000,
  })
  expect((await held()) - before).toBe(ROWS * FEE)
}, 600_000)

test('a hostile CSV is kept as it was written or refused by its row, and what its orders held goes back with them', async () => {
  const cells = ['=HYPERLINK("http://x")', '+1', '-2', '@SUM(A1)', 'Ada, "the" Obi\nof Lagos']
  const quoted = (cell: string) => `"${cell.replaceAll('"', '""')}"`
  const lines = cells.map((cell) => `${quoted(cell)},08031234567,"22 Broad Street, Lagos"`)
  const header = 'recipient_name,recipient_phone,dropoff_address'
  const long = `${'x'.repeat(1024 * 1024)},08031234567,22 Broad Street`
  const kept = answered(201, await upload(`\ufeff${[header, ...lines, long].join('\r\n')}\r\n`)).body
  expect(kept).toMatchObject({ total_orders: cells.length, rows_parsed: cells.length + 1, rows_failed: 1 })
  expect(kept.errors).toEqual([expect.objectContaining({ row: cells.length + 1 })])

  const before = await held()
  expect(await submit(kept.shipment_id)).toMatchObject({ hold_minor: cells.length * FEE })
  await eventually(async () => expect(await counts(kept.shipment_id)).toMatchObject({ pending: cells.length }), SELDOM)
  const names: string[] = []
  for (let row = 1; row <= cells.length; row++) {
    const listed = await api.get(`/v1/orders?external_order_id=${kept.shipment_id}:${row}`)
    const [order] = answered(200, listed).body.orders
    names.push(order.unified_json.standardized.customer_name)
    answered(200, await api.post(`/v1/orders/${order.id}/cancel`, { reason: 'other' }))
  }
  expect(names).toEqual(cells)
  await eventually(async () => expect((await held()) - before).toBe(0), SELDOM)
  const ended = async () => answered(200, await api.get(`/v1/shipments/${kept.shipment_id}`)).body.shipment
  await eventually(async () => expect((await ended()).status).toBe('completed'), SELDOM)
})

test('a CSV of another header, in Latin-1, or of a row too many drafts nothing and says where', async () => {
  const header = 'recipient_name,recipient_phone,dropoff_address'
  const row = 'Ada Obi,08031234567,22 Broad Street'
  const refused = async (csv: string | Uint8Array) => {
    const { body } = answered(400, await upload(csv))
    return [body.error, body.details.rule]
  }
  expect(await refused(`name,phone,address\n${row}\n`)).toEqual(['validation_error', 'header'])
  expect(await refused(Buffer.from(`${header}\nAdé Obi,08031234567,22 Broad Street\n`, 'latin1'))).toEqual([
    'validation_error',
    'invalid_utf8',
  ])
  expect(await refused(`${header}\n${`${row}\n`.repeat(ROWS + 1)}`)).toEqual(['validation_error', 'max'])
})
