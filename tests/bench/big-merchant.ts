import { createHash } from 'node:crypto'
import type { Mesh } from '@svc/testing'
import { eventually } from '@svc/testing'
import pg from 'pg'
import { openAccount } from '../chaos/money-scenario.ts'
import type { TestRider } from '../journeys/fleet.ts'
import { type Api, answered, orderBody } from '../journeys/merchant.ts'
import { cloneRows, openTables } from './clone-rows.ts'

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

const TABLES: Record<FilledService, readonly string[]> = {
  order: ['orders'],
  webhook: ['event_log', 'delivery', 'attempt', 'event_cursor'],
  wallet: ['accounts', 'wallet_ops', 'ledger_lines', 'billed_deliveries'],
  dispatch: ['dispatch_jobs'],
  admin: ['audit_log'],
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
  // Of the order, whose few are never remembered: what a list was found to have would not know of rows that come by SQL.
  const told = async () => {
    const { items } = (await live.get(`/v1/me/outbound-webhook/deliveries?order_id=${orderId}`)).body
    return items.length === 4 && items.every(({ status }: { status: string }) => status === 'succeeded')
  }
  await eventually(told, { timeoutMs: 60_000, intervalMs: 500 })
  return { merchantId, live, rider, orderId, orders: 1, orderNumber: () => orderId }
}

/** Where rows are put: the databases of these services, all unless told otherwise. */
export const FILLED = ['order', 'dispatch', 'webhook', 'wallet', 'admin'] as const
export type FilledService = (typeof FILLED)[number]

/** Repeats its one order, with its job, an event, a delivery, an entry of the audit log, and its lines and its delivery in the wallet. */
export async function grow(
  system: Mesh,
  merchant: BigMerchant,
  orders: number,
  services: readonly FilledService[] = FILLED,
): Promise<BigMerchant> {
  await Promise.all(
    services.map((service) => inDatabase(system, service, (owner) => FILLING[service](owner, merchant, orders))),
  )
  return { ...merchant, orders, orderNumber: (n) => uuidOf(`order ${merchant.merchantId} ${1 + (n % orders)}`) }
}

type Filling = (owner: pg.Client, merchant: BigMerchant, orders: number) => Promise<void>

const FILLING: Record<FilledService, Filling> = {
  order: orders,
  dispatch: jobs,
  webhook: deliveries,
  wallet: money,
  admin: auditEntries,
}

/** What differs between the rows of a merchant, as SQL of `n`, the number of the row. */
function differing({ merchantId }: BigMerchant, count: number) {
  return {
    prefix: merchantId.slice(0, 8),
    mine: `merchant_id = '${merchantId}'`,
    uuid: (what: string) => `md5('${what} ${merchantId} ' || n)::uuid`,
    // The newest has the highest number; all lie within what is kept.
    at: (column: string) => `t.${column} - interval '20 days' * (${count} - n) / ${count}`,
    // One order in ten is the own rider's, the others are of a thousand riders.
    riderId: `CASE WHEN n % 10 = 0 THEN t.rider_id ELSE md5('rider ' || n % 1000)::uuid END`,
  }
}

async function orders(owner: pg.Client, merchant: BigMerchant, count: number): Promise<void> {
  const { prefix, mine, uuid, at, riderId } = differing(merchant, count)
  await cloneRows(owner, {
    table: 'orders',
    like: mine,
    to: count,
    differing: {
      id: uuid('order'),
      source: `CASE WHEN n % 100 = 0 THEN 'shop' ELSE t.source END`,
      external_order_id: `'${prefix}-' || n`,
      status: `(ARRAY['delivered','delivered','delivered','cancelled','pending','picked_up'])[1 + n % 6]`,
      payment_verified: 'n % 50 = 0',
      rider_id: riderId,
      tracking_token: `'${prefix}' || md5('token ' || n)`,
      created_at: at('created_at'),
      updated_at: at('updated_at'),
    },
  })
}

async function jobs(owner: pg.Client, merchant: BigMerchant, count: number): Promise<void> {
  const { mine, uuid, at, riderId } = differing(merchant, count)
  await cloneRows(owner, {
    table: 'dispatch_jobs',
    like: mine,
    to: count,
    differing: { order_id: uuid('order'), order_created_at: at('order_created_at'), rider_id: riderId },
  })
}

async function deliveries(owner: pg.Client, merchant: BigMerchant, count: number): Promise<void> {
  const { mine, uuid, at } = differing(merchant, count)
  const event = { event_id: uuid('event'), order_id: uuid('order'), occurred_at: at('occurred_at') }
  await cloneRows(owner, {
    table: 'event_log',
    like: mine,
    to: count,
    differing: { ...event, cursor: '1000 + n', sequence: '1' },
  })
  await owner.query(`UPDATE event_cursor SET last_cursor = ${count + 1_000} WHERE ${mine}`)
  await cloneRows(owner, {
    table: 'delivery',
    like: mine,
    to: count,
    differing: {
      ...event,
      id: uuid('delivery'),
      created_at: at('created_at'),
      event: `(ARRAY['order.created','order.delivered','order.status_updated'])[1 + n % 3]`,
      // Nobody queues what is pending here: it stays so.
      status: `CASE WHEN n % 1000 = 0 THEN 'pending' WHEN n % 20 = 0 THEN 'dead' ELSE 'succeeded' END`,
      next_attempt_at: `CASE WHEN n % 1000 = 0 THEN t.created_at + interval '10 days' END`,
    },
  })
  await cloneRows(owner, {
    table: 'attempt',
    like: mine,
    to: count,
    differing: { id: uuid('attempt'), delivery_id: uuid('delivery') },
  })
}

async function money(owner: pg.Client, merchant: BigMerchant, count: number): Promise<void> {
  await entries(owner, merchant, count)
  await escrowAndCash(owner, merchant, count)
  const { mine, uuid, at } = differing(merchant, count)
  await cloneRows(owner, {
    table: 'billed_deliveries',
    like: mine,
    to: count,
    differing: { order_id: uuid('order'), delivered_at: at('delivered_at'), stored_at: at('stored_at') },
  })
}

async function entries(owner: pg.Client, merchant: BigMerchant, count: number): Promise<void> {
  const { mine, uuid, at } = differing(merchant, count)
  const opKey = `'bench:${merchant.merchantId}:' || n`
  await cloneRows(owner, {
    table: 'wallet_ops',
    like: `${mine} AND kind = 'commission' AND outcome = 'applied'`,
    to: count,
    differing: { op_key: opKey, subject_id: `'bench ${merchant.merchantId} ' || n` },
  })
  for (const [ownerId, entryType, lineNo] of [
    [merchant.merchantId, 'commission_debit', '1'],
    [merchant.rider.id, 'commission_credit', '2'],
  ] as const) {
    const { rows } = await owner.query(
      `SELECT a.id, a.version::int AS version FROM accounts a
        WHERE a.owner_id = $1 AND a.purpose = 'available' AND NOT a.is_test`,
      [ownerId],
    )
    const [account] = rows as [{ id: string; version: number }]
    await cloneRows(owner, {
      table: 'ledger_lines',
      like: `account_id = '${account.id}' AND entry_type = '${entryType}'`,
      to: count,
      differing: {
        op_key: opKey,
        line_no: lineNo,
        account_version: `${account.version} + n`,
        order_id: uuid('order'),
        created_at: at('created_at'),
      },
    })
    await owner.query('UPDATE accounts SET version = version + $2 WHERE id = $1', [account.id, count])
  }
}

/** Of each order what came into escrow, or in one of twenty what left it, and the cash that its rider took. */
async function escrowAndCash(owner: pg.Client, merchant: BigMerchant, count: number): Promise<void> {
  const { mine, uuid, at } = differing(merchant, count)
  const line = {
    op_key: `'bench:${merchant.merchantId}:' || n`,
    order_id: uuid('order'),
    created_at: at('created_at'),
    account_version: 'n',
  }
  const account = (what: string) => `md5('${what} ${merchant.merchantId}')::uuid`
  await cloneRows(owner, {
    table: 'ledger_lines',
    like: `${mine} AND entry_type = 'commission_hold' AND amount_minor > 0`,
    to: count,
    differing: {
      ...line,
      line_no: '3',
      account_id: account('escrow'),
      entry_type: `(CASE WHEN n % 20 = 0 THEN 'commission_released' ELSE 'commission_hold' END)::entry_type`,
      amount_minor: 'CASE WHEN n % 20 = 0 THEN -t.amount_minor ELSE t.amount_minor END',
    },
  })
  await cloneRows(owner, {
    table: 'ledger_lines',
    like: `${mine} AND entry_type = 'commission_hold' AND amount_minor > 0`,
    to: count,
    differing: {
      ...line,
      line_no: '4',
      account_id: account('cash'),
      entry_type: `'cash_collected'`,
    },
  })
}

async function auditEntries(owner: pg.Client, merchant: BigMerchant, count: number): Promise<void> {
  const { mine, uuid, at } = differing(merchant, count)
  // Nobody else takes a number meanwhile.
  await owner.query('SELECT pg_advisory_lock(7264001)')
  const { rows } = await owner.query('SELECT max(seq)::int AS last FROM audit_log')
  await cloneRows(owner, {
    table: 'audit_log',
    like: mine,
    to: count,
    differing: {
      seq: `${rows[0].last} + n`,
      event_id: uuid('entry'),
      at: at('at'),
      action: `CASE WHEN n % 20 = 0 THEN 'order.cancel' ELSE 'outbound_webhook.delivery_retry' END`,
      actor_type: `CASE WHEN n % 30 = 0 THEN 'admin' ELSE 'merchant_key' END`,
      resource_type: `CASE WHEN n % 20 = 0 THEN 'order' ELSE 'outbound_webhook_delivery' END`,
      resource_id: `${uuid('order')}::text`,
    },
  })
}

async function inDatabase(
  system: Mesh,
  service: FilledService,
  work: (owner: pg.Client) => Promise<void>,
): Promise<void> {
  // No request waits behind this one; autovacuum, which follows so many rows, may hold a table for minutes.
  const connectionString = system.databaseUrls[service]?.owner ?? ''
  const owner = new pg.Client({ connectionString, options: '-c lock_timeout=0' })
  await owner.connect()
  try {
    const tables = TABLES[service]
    const close = await openTables(owner, tables)
    await work(owner)
    await close()
  } finally {
    await owner.end()
  }
}

/** As md5(text)::uuid of Postgres. */
function uuidOf(text: string): string {
  const hex = createHash('md5').update(text).digest('hex')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

/** Of each table that was filled: its name, and how many GB its rows and its indexes take. */
export async function sizes(
  system: Mesh,
  services: readonly FilledService[],
): Promise<Array<[string, string, string]>> {
  const found: Array<[string, string, string]> = []
  for (const service of services) {
    const owner = new pg.Client({ connectionString: system.databaseUrls[service]?.owner ?? '' })
    await owner.connect()
    for (const name of TABLES[service]) {
      const { rows } = await owner.query(
        'SELECT round(pg_table_size($1) / 1e9, 3)::text AS rows, round(pg_indexes_size($1) / 1e9, 3)::text AS indexes',
        [name],
      )
      found.push([`${service}.${name}`, rows[0].rows, rows[0].indexes])
    }
    await owner.end()
  }
  return found
}
