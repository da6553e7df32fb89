import { createHmac, randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { eventually, type Mesh } from '@svc/testing'
import pg from 'pg'
import { Api, answered, signUp } from '../journeys/merchant.ts'
import { topUp } from '../journeys/money.ts'
import { allEnded } from './all-ended.ts'

export interface HooksPlan {
  /** How long third parties post. */
  loadMs: number
  clients: number
  /** For how long Kafka says nothing at all. */
  kafkaAwayMs: number
}

export interface HooksFigures {
  accepted: number
  /** Deliveries that were not answered by 200, and came again. */
  repeated: number
  faults: string[]
  orders: number
  deadLetters: number
  /** Bodies of which nothing became, or more than one thing. */
  lost: string[]
  doubled: string[]
  unjudged: number
  drainedAfterMs: number
}

interface Shop {
  merchantId: string
  secret: string
  domain: string
  anyone: Api
}

/** A body as its third party posts it, until it is answered by 200. */
interface Told {
  externalId: string
  path: string
  headers: Record<string, string>
  body: Buffer
  /** It lacks what an order needs. */
  isDead: boolean
}

/** Three minutes of hooks took 167 s on a machine with other work. */
const DRAINED_WITHIN_MS = 900_000
/** However slowly they are answered. */
const AT_LEAST = 40

const ADDRESS = '4 Admiralty Way, Lekki'
const PHONE = '+2348031234567'

const hmac = (secret: string, body: Buffer) => createHmac('sha256', secret).update(body).digest('base64')

/** Each third body of a channel is one of which no order can be made. */
function told(shop: Shop, turn: number): Told {
  const [externalId, isDead] = [randomUUID(), turn % 9 >= 6]
  const address1 = isDead ? '' : ADDRESS
  if (turn % 3 === 0) {
    const shipping_address = { address1, phone: PHONE }
    const body = json({ id: externalId, financial_status: 'paid', line_items: [{ title: 'Rice' }], shipping_address })
    const headers = {
      'x-storefront-a-hmac-sha256': hmac(shop.secret, body),
      'x-storefront-a-shop-domain': shop.domain,
      'x-storefront-a-topic': 'orders/create',
    }
    return { externalId, path: '/webhooks/storefront-a', headers, body, isDead }
  }
  if (turn % 3 === 1) {
    const billing = { address_1: address1, phone: PHONE }
    const body = json({ id: externalId, status: 'processing', line_items: [], billing })
    const headers = { 'x-storefront-b-signature': hmac(shop.secret, body), 'x-storefront-b-topic': 'order.created' }
    return { externalId, path: `/webhooks/storefront-b/${shop.merchantId}`, headers, body, isDead }
  }
  const body = json({
    event: 'charge.completed',
    data: {
      id: externalId,
      tx_ref: externalId,
      status: 'successful',
      amount: 100,
      currency: 'NGN',
      customer: { phone_number: PHONE },
      meta: { delivery_address: address1 },
    },
  })
  const headers = { 'payments-b-signature': hmac(shop.secret, body) }
  return { externalId, path: `/webhooks/payments-b/${shop.merchantId}`, headers, body, isDead }
}

const json = (value: object): Buffer => Buffer.from(JSON.stringify(value))

async function openShop(system: Mesh): Promise<Shop> {
  const { merchantId, owner } = await signUp(system.baseUrl, '127.0.12.1')
  // Orders are taken of who can pay for their delivery.
  await topUp(system, owner, 10_000_000)
  const shop = { merchantId, secret: `secret-${randomUUID()}`, domain: `${randomUUID()}.example.com` }
  for (const channel of ['storefront-a', 'storefront-b', 'payments-b']) {
    const settings = { secret: shop.secret, pickup: { address: '12 Marina Road, Lagos' } }
    const change = { ...settings, ...(channel === 'storefront-a' && { shop_domain: shop.domain }) }
    await eventually(async () => answered(200, await owner.send('PUT', `/v1/me/ingestion/${channel}`, change)))
  }
  const opened = { ...shop, anyone: new Api(system.baseUrl).callingFrom('127.0.12.2') }
  // Until the service knows the merchant it refuses what that has signed.
  await eventually(async () => (await post(opened, told(opened, 1))) === 200)
  return opened
}

const post = async ({ anyone }: Shop, { path, headers, body }: Told): Promise<number> =>
  (await anyone.send('POST', path, body, headers).catch(() => undefined))?.status ?? 0

async function postHooks(shop: Shop, plan: HooksPlan, repeated: () => void): Promise<Told[]> {
  const accepted: Told[] = []
  const end = Date.now() + plan.loadMs
  let turns = 0
  const client = async () => {
    while (Date.now() < end || accepted.length < AT_LEAST) {
      const one = told(shop, turns++)
      while ((await post(shop, one)) !== 200) {
        repeated()
        await wait(100)
      }
      accepted.push(one)
    }
  }
  await allEnded(Array.from({ length: plan.clients }, client))
  return accepted
}

/** What goes wrong while hooks come, one after the other in equal parts of the time. */
async function breakThings(system: Mesh, { loadMs, kafkaAwayMs }: HooksPlan): Promise<string[]> {
  const pause = () => wait(Math.max(500, (loadMs - kafkaAwayMs) / 5))
  const faults: string[] = []
  const kill = async (name: string) => {
    await pause()
    await system.kill(name)
    faults.push(`${name} killed`)
  }
  await kill('ingestion')
  await pause()
  await system.kill('kafka', 'SIGSTOP')
  await wait(kafkaAwayMs)
  await system.kill('kafka', 'SIGCONT')
  faults.push(`kafka away for ${kafkaAwayMs} ms`)
  await kill('postgres')
  await kill('ingestion')
  return faults
}

/** What a mesh must be told for it. */
export const HOOKS_ENVIRONMENT = { RATE_HOOKS_PER_MINUTE: '1000000', RATE_HOOKS_REFUSED_PER_MINUTE: '1000000' }

/** Posts hooks of several channels while parts of a mesh die, and counts what became of each that was answered by 200. */
export async function runHooksChaos(system: Mesh, plan: HooksPlan): Promise<HooksFigures> {
  const pools = ['ingestion', 'order'].map((service) => {
    const pool = new pg.Pool({ connectionString: system.databaseUrls[service]?.worker, max: 2 })
    return pool.on('error', () => {})
  })
  const [ingestion, orders] = pools as [pg.Pool, pg.Pool]
  try {
    const shop = await openShop(system)
    let repeated = 0
    const [accepted, faults] = await allEnded([postHooks(shop, plan, () => repeated++), breakThings(system, plan)])

    const drainStarted = Date.now()
    const unjudged = () =>
      ingestion.query<{ count: number }>(
        `SELECT count(*)::int FROM inbound_hooks WHERE signer = $1 AND state IN ('received', 'retrying')`,
        [shop.merchantId],
      )
    const left = async () => (await unjudged().catch(() => null))?.rows[0]?.count ?? -1
    while ((await left()) !== 0 && Date.now() - drainStarted < DRAINED_WITHIN_MS) await wait(100)

    const { rows: dead } = await ingestion.query<{ id: string }>(
      `SELECT external_order_id AS id FROM normalization_jobs j JOIN inbound_hooks USING (id)
        WHERE j.merchant_id = $1 AND state = 'dead' ORDER BY 1`,
      [shop.merchantId],
    )
    const { rows: made } = await orders.query<{ id: string }>(
      'SELECT external_order_id AS id FROM orders WHERE merchant_id = $1 ORDER BY 1',
      [shop.merchantId],
    )
    const came = Map.groupBy([...dead, ...made], ({ id }) => id)
    const isDead = new Set(dead.map(({ id }) => id))
    return {
      accepted: accepted.length,
      repeated,
      faults,
      orders: made.length,
      deadLetters: dead.length,
      lost: accepted
        .filter((one) => !came.has(one.externalId) || isDead.has(one.externalId) !== one.isDead)
        .map(({ externalId }) => externalId),
      doubled: [...came].filter(([, outcomes]) => outcomes.length > 1).map(([id]) => id),
      unjudged: await left(),
      drainedAfterMs: Date.now() - drainStarted,
    }
  } finally {
    await Promise.all(pools.map((pool) => pool.end()))
  }
}
