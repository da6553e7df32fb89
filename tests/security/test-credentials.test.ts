import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { eventually, type Receiver, receiver } from '@svc/testing'
import pg from 'pg'
import type { Route } from '../../gateway/src/http/route.ts'
import { routes } from '../../gateway/src/routes/index.ts'
import { bodies, CSV, form, queries } from '../../gateway/src/samples/requests.ts'
import { joinFleet } from '../journeys/fleet.ts'
import { answered, orderBody, type Reply } from '../journeys/merchant.ts'
import { topUp } from '../journeys/money.ts'
import { type Trading, tradingMerchant, type World, world } from './world.ts'

/** From which one signs up: no other file does from here. */
const ADDRESS = '127.0.73.1'

let the: World
let merchant: Trading
let shop: Receiver
let databases: Map<string, pg.Pool>
/** Ids of what is live, by the parameters of paths and bodies that name such. */
let live: Readonly<Record<string, string>>
/** Words that nobody can know but who was shown something live. */
let canaries: readonly string[]

const CANARY = `canary-${randomUUID()}`

beforeAll(async () => {
  the = await world()
  shop = await receiver()
  merchant = await tradingMerchant(the, ADDRESS)
  databases = new Map(
    Object.entries(the.system.databaseUrls).map(([name, { inspect }]) => [
      name,
      new pg.Pool({ connectionString: inspect, max: 2 }),
    ]),
  )
  await topUp(the.system, merchant.live, 20_000_000)
  live = await possessions(merchant)
  await eventually(async () => {
    const { items } = answered(200, await merchant.live.get('/v1/me/outbound-webhook/deliveries')).body
    expect(items.length).toBeGreaterThan(0)
    expect(items.every(({ status }: { status: string }) => status === 'succeeded')).toBe(true)
    // And a worker has seen that there is nothing left, which it notes a moment later.
    const lanes = 'SELECT FROM lane WHERE merchant_id = $1 AND NOT is_test AND due_at = $2'
    const { rowCount } = await databases.get('webhook')!.query(lanes, [merchant.merchantId, 'infinity'])
    expect(rowCount).toBe(1)
  })
})

afterAll(async () => {
  await shop?.close()
  await Promise.all([...(databases?.values() ?? [])].map((pool) => pool.end()))
})

/** One of everything that is live. The order has no points: nobody dispatches it, and it changes by itself no more. */
async function possessions({ live: key, owner }: Trading): Promise<typeof live> {
  const url = `${shop.url}/${CANARY}`
  const { secret } = answered(200, await key.patch('/v1/me/outbound-webhook', { url, enabled: true })).body
  const rider = await joinFleet({ ...the, live: key }, 'Ife Own', 0.01)
  const order = answered(201, await key.post('/v1/orders', orderBody({ notes: CANARY }))).body.order.id
  const orders = [{ recipient_name: CANARY, recipient_phone: '08031234567', dropoff_address: '2 Broad Street, Lagos' }]
  const shipment = answered(201, await key.post('/v1/shipments/bulk-json', { orders })).body.shipment_id
  const invite = answered(201, await key.post('/v1/me/fleet/invite-codes', {})).body
  const account = { bank_code: '058', account_number: '0123456789', account_name: CANARY }
  const instrument = answered(201, await owner.post('/v1/me/payout-instruments', account)).body
  const instrumentId = (instrument.payout_instrument ?? instrument).id
  const asked = answered(201, await owner.post('/v1/me/withdrawals/request', { amount_minor: 9_000_000 })).body
  const channel = { secret: randomUUID(), shop_domain: `${CANARY}.example` }
  answered(200, await owner.send('PUT', '/v1/me/ingestion/storefront-a', channel))
  const connected = await owner.post('/v1/me/messaging-app/cloud/exchange-token', { code: `one-${randomUUID()}` })
  const { connection } = answered(200, connected).body
  const other = await tradingMerchant(the, ADDRESS)
  const grant = { grantee_merchant_id: other.merchantId, scopes: ['orders:read'] }
  const given = answered(201, await owner.post('/v1/me/workspace-grants', grant)).body.id
  const { items: keys } = answered(200, await owner.get('/v1/me/api-keys')).body
  const liveKey = keys.find(({ is_test }: { is_test: boolean }) => !is_test).id
  canaries = [CANARY, invite.code, secret, rider.id, instrumentId, connection.phone_number_id].filter(Boolean)
  return {
    id: order,
    orderId: order,
    order_id: order,
    shipmentId: shipment,
    codeId: invite.id,
    riderId: rider.id,
    rider_id: rider.id,
    instrumentId,
    payout_instrument_id: instrumentId,
    withdrawalId: asked.withdrawal.id,
    keyId: liveKey,
    grantId: given,
    phone_number_id: connection.phone_number_id,
    // Of several things: each route below `path` has the one that it is about.
    '/v1/shipments': shipment,
    '/v1/me/payout-instruments': instrumentId,
    '/v1/me/withdrawals': asked.withdrawal.id,
    '/v1/riders': rider.id,
  }
}

/** Who uses a test key has these to itself, or to both sides: what it asks of its own business, and how it is kept. */
const OWN = new Set(
  [
    'outbox inbox parked intent idempotency audit_log sessions shard_lease',
    // What a business submits, whoever of it does: its only credential at first is a test key.
    'kyb_submissions kyb_documents contact_inquiries',
    // Of deliveries, whose rows are compared.
    'attempt',
    'sandbox_clock sandbox_usage sandbox_advances webhook_fault event_cursor order_stream shipment_rows order_ops sim_timer',
  ].flatMap((names) => names.split(' ')),
)
/** Columns that hold the other side, or what is written later of what was done before. */
const SANDBOX_COLUMNS = /^(test_|sandbox_|updated_at$|last_used_at$|version$|kyb_)/

/** By which a row says whose it is. */
const NAMING = ['merchant_id', 'grantor_merchant_id', 'owner_id']

/** Every row of the merchant that is live, by table. */
async function liveRows(): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  for (const [service, pool] of databases) {
    const { rows: tables } = await pool.query<{ table: string; columns: string[] }>(
      `SELECT table_name AS table, array_agg(column_name::text) AS columns FROM information_schema.columns
        WHERE table_schema = 'public' GROUP BY table_name`,
    )
    for (const { table, columns } of tables) {
      const names = table === 'merchants' && service === 'admin' ? ['id'] : NAMING
      const owner = names.find((name) => columns.includes(name))
      if (!owner || OWN.has(table)) continue
      const isLive = columns.includes('is_test') ? 'AND NOT t.is_test' : ''
      const { rows } = await pool.query<{ row: Record<string, unknown> }>(
        `SELECT to_jsonb(t) AS row FROM ${table} t WHERE t.${owner}::text = $1 ${isLive} ORDER BY t::text`,
        [merchant.merchantId],
      )
      const seen = rows.map(({ row }) => Object.entries(row).filter(([name]) => !SANDBOX_COLUMNS.test(name)))
      found.set(`${service}.${table}`, JSON.stringify(seen))
    }
  }
  return found
}

/** The names of tables in which something differs. */
async function changedSince(before: Map<string, string>): Promise<string[]> {
  const now = await liveRows()
  return [...now.keys()].filter((table) => now.get(table) !== before.get(table))
}

const ofMerchants = routes.filter(({ auth: { kind } }) => kind === 'merchant' || kind === 'merchant_or_rider')

/** The path with the ids of what is live, and the channel that is set. */
function aimed({ path, operationId }: Route): string {
  const about = Object.keys(live).find((name) => name.startsWith('/') && path.startsWith(`${name}/`))
  const filled = path.replaceAll(/\{(\w+)\}/g, (_all, name: string) =>
    name === 'channel' ? 'storefront-a' : ((name === 'id' && about ? live[about] : live[name]) ?? randomUUID()),
  )
  return queries[operationId] ? `${filled}?${queries[operationId]}` : filled
}

/** The sample of the route, about what is live wherever it names something. */
function loaded({ operationId, upload }: Route): unknown {
  if (upload) return form(CSV)
  const aim = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(aim)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([name, held]) => [name, live[name] ?? aim(held)]))
  }
  if (operationId === 'updateOutboundWebhook') return { url: `${shop.url}/sandbox`, enabled: true }
  const sample = bodies[operationId]
  return sample && { ...(aim(sample) as object), ...(operationId === 'createOrder' && orderBody()) }
}

async function sent(method: string, path: string, body: unknown): Promise<Reply> {
  if (!(body instanceof FormData)) return merchant.test.send(method, path, body)
  const { baseUrl, headers } = merchant.test
  const answer = await fetch(`${baseUrl}${path}`, { method, headers, body })
  return { status: answer.status, headers: answer.headers, body: await answer.text() } as Reply
}

/** What an answer tells beyond what it was asked with. */
function toldBy({ body }: Reply, asked: string): string[] {
  const said = typeof body === 'string' ? body : JSON.stringify(body)
  return canaries.filter((canary) => said.includes(canary) && !asked.includes(canary))
}

test.each(ofMerchants.map((route) => [`${route.method} ${route.path}`, route] as const))(
  '%s with a test key neither changes nor shows what is live',
  async (_name, route) => {
    const [path, body] = [aimed(route), route.method === 'GET' ? undefined : loaded(route)]
    const before = await liveRows()
    const reply = await sent(route.method, path, body)
    expect(reply.status).not.toBe(500)
    expect(toldBy(reply, `${path} ${JSON.stringify(body)}`)).toEqual([])
    expect([reply.status, await changedSince(before)]).toEqual([reply.status, []])
  },
)

test('what is compared is there', async () => {
  const rows = await liveRows()
  const filled = [...rows].filter(([, held]) => held !== '[]').map(([table]) => table)
  const had = [
    'admin.merchants admin.api_keys admin.workspace_grants order.orders order.shipments wallet.payout_instruments',
    'wallet.withdrawals webhook.endpoint webhook.delivery dispatch.invite_codes dispatch.riders',
    'ingestion.channel_settings ingestion.cloud_connections',
  ].flatMap((names) => names.split(' '))
  expect(filled).toEqual(expect.arrayContaining(had))
})
