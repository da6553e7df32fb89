import { eventually, mesh } from '@svc/testing'
import pg from 'pg'
import { openRateCard, operatorOf } from '../journeys/fleet.ts'
import { answered, signUp } from '../journeys/merchant.ts'
import { seeded } from './seeded.ts'

interface ShipmentPlan {
  seed: number
  rows: number
  kills: number
}

interface ShipmentFigures {
  seed: number
  /** The number of orders that had begun at each kill. */
  killedAt: number[]
  orders: number
  /** Children that are not `pending` in their first version, or announced other than once, or of the same row. */
  wrongOrders: string[]
  /** Children whose `order.created` is in the event log other than once. */
  wrongEvents: string[]
  /** What is held over what it should be; 0. */
  heldTooMuchMinor: number
  seconds: number
}

/** More than so many orders cost. */
const PLENTY_MINOR = 1_000_000_000
const ROW = { recipient_name: 'Ada Obi', recipient_phone: '08031234567', dropoff_address: '22 Broad Street, Lagos' }
const PICKUP = { address: '1 Marina Road, Lagos' }

const FALSE_CHILDREN = `
  SELECT o.id FROM orders o WHERE o.shipment_id = $1 AND NOT (o.status = 'pending' AND o.version = 1
     AND (SELECT count(*) FROM outbox f WHERE f.aggregate_id = o.id AND f.type = 'order.created') = 1
     AND NOT EXISTS (SELECT FROM orders t WHERE t.shipment_id = $1 AND t.shipment_row = o.shipment_row AND t.id <> o.id))`

/** Submits a shipment, kills the order service at rows that the seed chooses, and counts what came of it. */
export async function runShipmentChaos(plan: ShipmentPlan, say: (line: string) => void): Promise<ShipmentFigures> {
  const system = await mesh({ spans: false })
  const [orders, webhook] = ['order', 'webhook'].map((name) => {
    const pool = new pg.Pool({ connectionString: system.databaseUrls[name]?.worker, max: 2 })
    return pool.on('error', () => {})
  }) as [pg.Pool, pg.Pool]
  try {
    const merchant = await signUp(system.baseUrl)
    const operator = await operatorOf(system)
    await openRateCard(operator, merchant.merchantId)
    answered(200, await merchant.test.send('PUT', '/v1/test/wallet', { balance_minor: PLENTY_MINOR }))
    const held = async (): Promise<number> =>
      answered(200, await merchant.test.get('/v1/me/wallet')).body.wallet.held_minor
    const before = await held()
    const body = { pickup: PICKUP, orders: Array(plan.rows).fill(ROW) }
    const drafted = answered(201, await merchant.test.post('/v1/shipments/bulk-json', body)).body
    const started = Date.now()
    answered(200, await merchant.test.post(`/v1/shipments/${drafted.shipment_id}/submit`))

    const begun = async (): Promise<number> => {
      const { rows } = await orders.query(
        `SELECT count(*)::int AS count FROM orders WHERE shipment_id = $1 AND status <> 'draft'`,
        [drafted.shipment_id],
      )
      return rows[0].count
    }
    const killedAt: number[] = []
    for (const row of chosenRows(plan)) {
      const at = await eventually(async () => ((await begun()) >= row ? begun() : false), PATIENT)
      if (at === plan.rows) break
      await system.kill('order')
      killedAt.push(await begun())
      say(`killed at ${killedAt.at(-1)} of ${plan.rows}, wanted at ${row}`)
    }
    await eventually(async () => (await begun()) === plan.rows, PATIENT)
    const wrong = async (): Promise<string[]> =>
      (await orders.query(FALSE_CHILDREN, [drafted.shipment_id])).rows.map(({ id }) => id)
    const children: string[] = (
      await orders.query('SELECT id FROM orders WHERE shipment_id = $1', [drafted.shipment_id])
    ).rows.map(({ id }) => id)
    const logged = async (): Promise<string[]> => {
      const { rows } = await webhook.query(
        `SELECT order_id, count(*)::int AS times FROM event_log
          WHERE merchant_id = $1 AND event = 'order.created' GROUP BY order_id`,
        [merchant.merchantId],
      )
      const times = new Map(rows.map(({ order_id, times: count }) => [order_id, count]))
      return children.filter((id) => times.get(id) !== 1)
    }
    await eventually(async () => (await logged()).length === 0, PATIENT).catch(() => {})
    return {
      seed: plan.seed,
      killedAt,
      orders: children.length,
      wrongOrders: await wrong(),
      wrongEvents: await logged(),
      heldTooMuchMinor: (await held()) - before - drafted.estimated_fee_minor,
      seconds: Math.round((Date.now() - started) / 1_000),
    }
  } finally {
    await Promise.all([orders.end(), webhook.end()])
    await system.stop()
  }
}

const PATIENT = { timeoutMs: 600_000, intervalMs: 25 }

/** As many rows as there are kills, in their order. */
function chosenRows({ seed, rows, kills }: ShipmentPlan): number[] {
  const random = seeded(seed)
  return Array.from({ length: kills }, () => 1 + Math.floor(random() * (rows - 1))).toSorted((a, b) => a - b)
}
