import { createHash } from 'node:crypto'
import type { Mesh } from '@svc/testing'
import { eventually } from '@svc/testing'
import pg from 'pg'
import { openAccount } from '../chaos/money-scenario.ts'
import type { TestRider } from '../journeys/fleet.ts'
import { type Api, answered, orderBody } from '../journeys/merchant.ts'
import { type Cloning, cloneRows, closeTables, openTables } from './clone-rows.ts'

export interface BigMerchant {
  merchantId: string
  live: Api
  rider: TestRider
  /** The order that all others repeat. */
  orderId: string
  orders: number
  /** The order with that number, of as many as there are. */
  orderNumber(n: number): string
}

const TABLES: Record<string, readonly string[]> = {
  order: ['orders'],
  webhook: ['event_log', 'delivery', 'attempt', 'event_cursor'],
  wallet: ['accounts', 'wallet_ops', 'ledger_lines'],
  dispatch: ['dispatch_jobs'],
}

/** A merchant of whom the API itself made one order, delivered, paid for and announced. */
export async function oneOrder(system: Mesh, operator: Api, number: number, webhookUrl: string): Promise<BigMerchant> {
  const { owner, live, rider, merchantId } = await openAccount(system, operator, number)
  answered(200, await owner.patch('/v1/me/outbound-webhook', { url: webhookUrl, enabled: true }))
  const body = orderBody({ rider_id: rider.id, delivery_commission_minor: 1_000 })
  const created = answered(201, await live.post('/v1/orders', body))
  const orderId = created.body.order.id as string
  await eventually(async () => (await live.get(`/v1/orders/${orderId}`)).body.order.rider, { timeoutMs: 60_000 })
  answered(200, await live.patch(`/v1/orders/${orderId}`, { status: 'delivered' }))
  const succeeded = async () => (await live.get('/v1/me/outbound-webhook/deliveries?status=succeeded')).body.total === 4
  await eventually(succeeded, { timeoutMs: 60_000, intervalMs: 500 })
  return { merchantId, live, rider, orderId, orders: 1, orderNumber: () => orderId }
}

/** Repeats its one order, with its job, an event, a delivery and the lines of its commission. */
export async function grow(system: Mesh, merchant: BigMerchant, orders: number): Promise<BigMerchant> {
  const { merchantId, rider } = merchant
  const prefix = merchantId.slice(0, 8)
  const uuid = (what: string) => `md5('${what} ${merchantId} ' || n)::uuid`
  // The newest has the highest number; all lie within what is kept.
  const at = (column: string) => `t.${column} - interval '20 days' * (${orders} - n) / ${orders}`
  const mine = `merchant_id = '${merchantId}'`
  const all = (cloning: Omit<Cloning, 'from' | 'to'>): Cloning => ({ ...cloning, from: 1, to: orders })

  await inDatabase(system, 'order', (owner) =>
    cloneRows(
      owner,
      all({
        table: 'orders',
        like: mine,
        differing: {
          id: uuid('order'),
          source: `CASE WHEN n % 100 = 0 THEN 'shop' ELSE t.source END`,
          external_order_id: `'${prefix}-' || n`,
          status: `(ARRAY['delivered','delivered','delivered','cancelled','pending','picked_up'])[1 + n % 6]`,
          payment_verified: 'n % 50 = 0',
          // One order in ten is the own rider's, the others are of a thousand riders.
          rider_id: `CASE WHEN n % 10 = 0 THEN t.rider_id ELSE md5('rider ' || n % 1000)::uuid END`,
          tracking_token: `'${prefix}' || md5('token ' || n)`,
          created_at: at('created_at'),
          updated_at: at('updated_at'),
        },
      }),
    ),
  )
  await inDatabase(system, 'dispatch', (owner) =>
    cloneRows(
      owner,
      all({
        table: 'dispatch_jobs',
        like: mine,
        differing: {
          order_id: uuid('order'),
          order_created_at: at('order_created_at'),
          rider_id: `CASE WHEN n % 10 = 0 THEN t.rider_id ELSE md5('rider ' || n % 1000)::uuid END`,
        },
      }),
    ),
  )
  await inDatabase(system, 'webhook', async (owner) => {
    const event = { event_id: uuid('event'), order_id: uuid('order'), occurred_at: at('occurred_at') }
    await cloneRows(
      owner,
      all({ table: 'event_log', like: mine, differing: { ...event, cursor: '1000 + n', sequence: '1' } }),
    )
    await owner.query(`UPDATE event_cursor SET last_cursor = ${orders + 1_000} WHERE ${mine}`)
    await cloneRows(
      owner,
      all({
        table: 'delivery',
        like: mine,
        differing: {
          ...event,
          id: uuid('delivery'),
          created_at: at('created_at'),
          event: `(ARRAY['order.created','order.delivered','order.status_updated'])[1 + n % 3]`,
          // Nobody queues what is pending here: it stays so.
          status: `CASE WHEN n % 1000 = 0 THEN 'pending' WHEN n % 20 = 0 THEN 'dead' ELSE 'succeeded' END`,
          next_attempt_at: `CASE WHEN n % 1000 = 0 THEN t.created_at + interval '10 days' END`,
        },
      }),
    )
    await cloneRows(
      owner,
      all({ table: 'attempt', like: mine, differing: { id: uuid('attempt'), delivery_id: uuid('delivery') } }),
    )
  })
  await inDatabase(system, 'wallet', async (owner) => {
    const opKey = `'bench:${merchantId}:' || n`
    const op = `${mine} AND kind = 'commission' AND outcome = 'applied'`
    await cloneRows(
      owner,
      all({ table: 'wallet_ops', like: op, differing: { op_key: opKey, subject_id: `'bench ${merchantId} ' || n` } }),
    )
    for (const [ownerId, entryType] of [
      [merchantId, 'commission_debit'],
      [rider.id, 'commission_credit'],
    ] as const) {
      const { rows } = await owner.query(
        `SELECT a.id, a.version::int AS version FROM accounts a
          WHERE a.owner_id = $1 AND a.purpose = 'available' AND NOT a.is_test`,
        [ownerId],
      )
      const [account] = rows as [{ id: string; version: number }]
      await cloneRows(
        owner,
        all({
          table: 'ledger_lines',
          like: `account_id = '${account.id}' AND entry_type = '${entryType}'`,
          differing: {
            op_key: opKey,
            line_no: entryType === 'commission_debit' ? '1' : '2',
            account_version: `${account.version} + n`,
            order_id: uuid('order'),
            created_at: at('created_at'),
          },
        }),
      )
      await owner.query('UPDATE accounts SET version = version + $2 WHERE id = $1', [account.id, orders])
    }
  })
  return { ...merchant, orders, orderNumber: (n) => uuidOf(`order ${merchantId} ${1 + (n % orders)}`) }
}

async function inDatabase(system: Mesh, service: string, work: (owner: pg.Client) => Promise<void>): Promise<void> {
  // No request waits behind this one; autovacuum, which follows so many rows, may hold a table for minutes.
  const connectionString = system.databaseUrls[service]?.owner ?? ''
  const owner = new pg.Client({ connectionString, options: '-c lock_timeout=0' })
  await owner.connect()
  try {
    const tables = TABLES[service] ?? []
    await openTables(owner, tables)
    await work(owner)
    await closeTables(owner, tables)
  } finally {
    await owner.end()
  }
}

/** As md5(text)::uuid of Postgres. */
function uuidOf(text: string): string {
  const hex = createHash('md5').update(text).digest('hex')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
