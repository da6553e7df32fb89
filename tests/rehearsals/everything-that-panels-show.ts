import { randomUUID } from 'node:crypto'
import { eventually, type Mesh } from '@svc/testing'
import pg from 'pg'
import { codeSentTo, newPhone, offerOf, operatorOf, PICKUP, ping, placed } from '../journeys/fleet.ts'
import { Api, answered, orderBody, signUp } from '../journeys/merchant.ts'
import { topUp } from '../journeys/money.ts'
import { openFleet } from './stage.ts'

const MONEY_MINOR = 1_000_000
/** More than a test key may ask in a minute, and than Kafka takes of a fact. */
const TOO_MANY = 80
const TOO_LARGE_BYTES = 3_000_000
/** Of each a fact that no consumer of it can read. */
const POISONS = [
  ['order', 'order', 'order.created'],
  ['wallet', 'merchant', 'billing.status_changed'],
  ['admin', 'merchant', 'merchant.updated'],
] as const

/** What a dashboard has a panel for: `work` happens again and again, `faults` once. */
export async function everythingThatPanelsShow(system: Mesh, endpoint: string) {
  const anyone = new Api(system.baseUrl)
  const operator = await operatorOf(system)
  const { merchant, live, rider } = await openFleet(system)
  const { owner, merchantId } = merchant
  answered(200, await live.patch('/v1/me/outbound-webhook', { url: endpoint, enabled: true }))
  const pickup = { address: '12 Marina Road, Lagos' }
  await eventually(async () => answered(200, await owner.send('PUT', '/v1/me/ingestion/payments-a', { pickup })))
  let addresses = 0

  /** A live order that its rider was offered, carried and paid for; one of a sandbox; and what each service has to refuse. */
  async function work(): Promise<void> {
    await topUp(system, live, MONEY_MINOR)
    const customer_phone = newPhone()
    const { order } = answered(201, await live.post('/v1/orders', placed({}, { customer_phone }))).body
    const offer = await offerOf(rider, order.id)
    answered(200, await rider.api.post(`/v1/riders/me/dispatch-offers/${offer.id}/accept`))
    await ping(rider.api, rider.id, PICKUP)
    const path = `/v1/riders/me/orders/${order.id}`
    answered(200, await rider.api.post(`${path}/status`, { status: 'picked_up' }))
    answered(200, await rider.api.post(`${path}/pod-otp/request`))
    const code = await codeSentTo(system, customer_phone)
    answered(200, await rider.api.post(`${path}/pod-otp/verify`, { code }))

    await paidDelivery()
    // Who signs up or logs in may do so a few times a minute.
    const address = `127.0.3.${++addresses}`
    const { test } = await signUp(system.baseUrl, address)
    answered(201, await test.post('/v1/orders', orderBody()))
    await refusals(anyone.callingFrom(address))
  }

  /** A checkout of the merchant's own into which it has written a delivery. */
  async function paidDelivery(): Promise<void> {
    const custom_fields = [
      { display_name: 'Delivery address', variable_name: 'delivery_address', value: '14 Adeola Odeku Street, Lagos' },
    ]
    const data = {
      reference: `shop-${randomUUID()}`,
      domain: 'test',
      status: 'success',
      amount: 2_110_150,
      currency: 'NGN',
      paid_at: new Date().toISOString(),
      customer: { first_name: 'Ada', last_name: 'Okafor', phone: '08031234567' },
      metadata: JSON.stringify({ merchant_id: merchantId, custom_fields }),
    }
    const hook = { provider: 'payments-a', body: JSON.stringify({ event: 'charge.success', data }), sign: 'good' }
    answered(200, await new Api(system.providersUrl).post('/__control/emit', hook))
  }

  async function refusals(stranger: Api): Promise<void> {
    const none = randomUUID()
    answered(404, await live.get(`/v1/orders/${none}`))
    answered(404, await operator.get(`/v1/admin/riders/${none}`))
    answered(404, await operator.post(`/v1/admin/withdrawals/${none}/reject`, { reason: 'none' }))
    answered(404, await live.post(`/v1/me/outbound-webhook/deliveries/${none}/retry`))
    answered(404, await operator.post(`/v1/admin/ingestion-dlq/${none}/retry`))
    answered(401, await stranger.post('/v1/public/login', { email: `${none}@example.com`, password: none }))
    const headers = { 'x-payments-a-signature': '0'.repeat(128) }
    answered(401, await anyone.post('/webhooks/payments-a/platform', {}, headers))
  }

  async function faults(): Promise<void> {
    const { test } = await signUp(system.baseUrl, '127.0.4.1')
    for (let nth = 0; nth < TOO_MANY; nth++) await test.get('/v1/orders')
    await system.kill('redis', 'SIGSTOP')
    await live.get('/v1/orders')
    await system.kill('redis', 'SIGCONT')
    for (const [service, aggregate, type] of POISONS) await announce(system, service, [aggregate, type, 1])
    for (const service of Object.keys(system.databaseUrls))
      await announce(system, service, ['none', 'none.none', TOO_LARGE_BYTES])
    await system.kill('order')
    for (let nth = 0; nth < TOO_MANY / 4; nth++) await live.get(`/v1/orders/${randomUUID()}`)
  }

  return { work, faults }
}

/** A fact of so many bytes that say nothing, as if the service had stored it. */
async function announce(
  { databaseUrls }: Mesh,
  service: string,
  [aggregate, type, bytes]: readonly [string, string, number],
): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrls[service]?.worker })
  await client.connect()
  await client.query(
    `INSERT INTO outbox (event_id, shard, aggregate_type, aggregate_id, aggregate_version, merchant_id, is_test, type, payload, headers)
     SELECT gen_random_uuid(), outbox_shard(id), $1, id, 1, gen_random_uuid(), false, $2, decode(repeat('ff', $3), 'hex'), '{}'
       FROM (SELECT gen_random_uuid() AS id) AS made`,
    [aggregate, type, bytes],
  )
  await client.end()
}
