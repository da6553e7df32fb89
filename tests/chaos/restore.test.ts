import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { eventually, type Mesh, mesh } from '@svc/testing'
import pg from 'pg'
import { violations } from '../../services/wallet/test/ledger-violations.ts'
import { Api, answered, orderBody } from '../journeys/merchant.ts'
import { COMMISSION_MINOR, FIRST_MONEY_MINOR, openAccount } from './money-scenario.ts'
import { countingReceiver } from './receiver.ts'
import { backUp, raise } from './restore-database.ts'

let system: Mesh
let wallet: pg.Pool
let receiver: Awaited<ReturnType<typeof countingReceiver>>
beforeAll(async () => {
  receiver = await countingReceiver()
  system = await mesh({ spans: false })
  wallet = new pg.Pool({ connectionString: system.databaseUrls['wallet']?.worker, max: 2 })
  wallet.on('error', () => {})
}, 300_000)
afterAll(async () => {
  await wallet?.end()
  await system?.stop()
  receiver?.close()
})

const PATIENCE = { timeoutMs: 60_000, intervalMs: 200 }

test('after a restore of the orders each new change arrives once and in its place, and what was paid is not paid again', async () => {
  const anyone = new Api(system.baseUrl)
  const minted = await anyone.post('/v1/admin/auth/token', { token: system.adminStaticToken })
  const account = await openAccount(system, anyone.bearing(minted.body.access_token), 0)
  const { live, rider } = account
  answered(200, await live.patch('/v1/me/outbound-webhook', { url: receiver.url, enabled: true }))
  const body = orderBody({ rider_id: rider.id, delivery_commission_minor: COMMISSION_MINOR })
  const { id } = answered(201, await live.post('/v1/orders', body)).body.order
  await eventually(async () => (await live.get(`/v1/orders/${id}`)).body.order?.rider?.id === rider.id, PATIENCE)
  const told = () => receiver.of(id).map(({ event }) => event)
  // While the service finds its database again it is away.
  const enter = (status: string) =>
    eventually(async () => answered(200, await live.patch(`/v1/orders/${id}`, { status })), PATIENCE)
  await enter('picked_up')
  await eventually(() => expect(told()).toContain('order.picked_up'), PATIENCE)

  const backup = await backUp(system, 'order')
  try {
    await enter('delivered')
    await eventually(() => expect(told()).toContain('order.delivered'), PATIENCE)
    const before = await eventually(async () => {
      const seen = told()
      return seen.at(-1) === 'order.status_updated' && seen.length > 4 && seen
    }, PATIENCE)
    await backup.restore()
    await eventually(async () => {
      expect((await live.get(`/v1/orders/${id}`)).body.order?.status).toBe('picked_up')
    }, PATIENCE)
    await enter('in_transit')
    await enter('delivered')

    const after = ['order.status_updated', 'order.delivered', 'order.status_updated']
    await eventually(() => expect(told()).toEqual([...(before as string[]), ...after]), PATIENCE)
    const seen = receiver.of(id)
    expect(seen.map(({ sequence }) => sequence)).toEqual(seen.map((_, index) => index + 1))
    expect(seen.filter(({ bodies }) => bodies.size > 1)).toEqual([])
  } finally {
    await backup.drop()
  }
  await eventually(async () => {
    const { rows } = await wallet.query<{ purpose: string; balance: number }>(
      `SELECT purpose, balance_minor::float8 AS balance FROM accounts
        WHERE owner_id = ANY($1::uuid[]) AND NOT is_test AND balance_minor <> 0 ORDER BY balance_minor DESC`,
      [[account.merchantId, rider.id]],
    )
    expect(rows).toEqual([
      { purpose: 'available', balance: FIRST_MONEY_MINOR - COMMISSION_MINOR },
      { purpose: 'available', balance: COMMISSION_MINOR },
    ])
  }, PATIENCE)
  expect(await violations(async (text, values = []) => (await wallet.query(text, values)).rows)).toEqual({})
  // What the wallet counts, for the tests below.
  answered(201, await live.post('/v1/me/withdrawals/request', { amount_minor: FIRST_MONEY_MINOR / 10 }))
  await wallet.query('INSERT INTO billing_standings (merchant_id) VALUES ($1) ON CONFLICT DO NOTHING', [
    account.merchantId,
  ])
}, 300_000)

/** What others remember by number, with rows of the story above. */
const COUNTERS: Record<string, ReadonlyArray<readonly [table: string, column: string]>> = {
  admin: [['merchants', 'version']],
  dispatch: [['riders', 'version']],
  order: [
    ['orders', 'version'],
    ['orders', 'settlement_attempts'],
  ],
  wallet: [
    ['withdrawals', 'version'],
    ['billing_standings', 'version'],
  ],
  webhook: [['event_cursor', 'last_cursor']],
}
/** Counted up from nothing, no number of a database that was never restored gets here. */
const COUNTED = 1_000_000

test.each(Object.entries(COUNTERS))(
  'all versions of %s are raised above all that were reached, and again when that is repeated',
  async (service, counters) => {
    const worker = new pg.Client({ connectionString: system.databaseUrls[service]!.worker })
    await worker.connect()
    const spans = () =>
      counters.reduce<Promise<Array<{ least: number; most: number }>>>(async (earlier, [table, column]) => {
        const seen = await earlier
        const { rows } = await worker.query(`SELECT min(${column}) AS least, max(${column}) AS most FROM ${table}`)
        return [...seen, { least: Number(rows[0].least), most: Number(rows[0].most) }]
      }, Promise.resolve([]))
    try {
      const before = await spans()
      await raise(system, service)
      const once = await spans()
      await raise(system, service)
      const twice = await spans()
      for (const [index] of counters.entries()) {
        expect(once[index]!.least).toBeGreaterThan(Math.max(before[index]!.most, COUNTED))
        expect(twice[index]!.least).toBeGreaterThan(once[index]!.most)
      }
    } finally {
      await worker.end()
    }
  },
  300_000,
)
