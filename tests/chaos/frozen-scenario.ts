import { setTimeout as wait } from 'node:timers/promises'
import { eventually, type Mesh, mesh } from '@svc/testing'
import pg from 'pg'
import { Agent } from 'undici'
import * as admin from '../../services/admin/src/consumers/index.ts'
import * as dispatch from '../../services/dispatch/src/consumers/index.ts'
import * as ingestion from '../../services/ingestion/src/consumers/index.ts'
import * as wallet from '../../services/wallet/src/consumers/index.ts'
import { violations } from '../../services/wallet/test/ledger-violations.ts'
import * as webhook from '../../services/webhook/src/consumers/index.ts'
import { Api, answered, orderBody, type Reply } from '../journeys/merchant.ts'
import { allEnded } from './all-ended.ts'
import { type Account, openAccount, wrongBalances } from './money-scenario.ts'
import { countingReceiver } from './receiver.ts'
import { seeded } from './seeded.ts'

interface FreezePlan {
  /** The same seed freezes the same processes after the same pauses. */
  seed: number
  freezes: number
  freezeMs: number
  clients: number
  merchants: number
}

interface Frozen {
  process: string
  afterMs: number
}

interface FreezeFigures {
  frozen: Frozen[]
  accepted: number
  repeatedCalls: number
  /** What clients waited for a call, with its repeats, by what they asked for. */
  longestMs: Record<string, number>
  /** Events that the receiver has not, by order; or has in another sequence, or beyond the story. */
  wrongStories: string[]
  changedBodies: number
  /** By service: facts that are parked, that Kafka does not have, and that a consumer never took. */
  parked: Record<string, number>
  unpublished: Record<string, number>
  lost: Record<string, number>
  /** Orders whose commission is not in the books exactly once. */
  wrongCommissions: string[]
  wrongBalances: string[]
  violations: string[]
  drainedAfterMs: number
}

type Calls = Pick<FreezeFigures, 'repeatedCalls' | 'longestMs'>

const COMMISSION_MINOR = 1_000
/** A client gives up on a gateway that does not answer, and asks the other one. */
const PATIENCE_MS = 8_000
const DRAIN_MS = 120_000

const LIVE_STORY = ['order.created', 'order.rider_assigned', 'order.delivered', 'order.status_updated']

interface Consumer {
  name: string
  wants(topic: string, type: string): boolean
}

const CONSUMERS: Record<string, readonly Consumer[]> = {
  admin: admin.consumers,
  dispatch: dispatch.factConsumers,
  ingestion: ingestion.consumers,
  wallet: wallet.consumers,
  webhook: [...webhook.orderConsumers, ...webhook.moneyConsumers],
}

const environment = {
  RIDER_MAX_ACTIVE_ORDERS: '1000000',
  RATE_LIVE_KEY_PER_MINUTE: '1000000',
  RATE_LIVE_MERCHANT_PER_MINUTE: '1000000',
  RATE_USER_PER_MINUTE: '1000000',
  COMMISSION_TRIGGER_STATUSES: 'delivered',
  WITHDRAWAL_MIN_MINOR: '100',
}

/** What each freeze of a run does, decided by its seed alone. */
function planned({ seed, freezes }: FreezePlan, processes: readonly string[]): Frozen[] {
  const random = seeded(seed)
  return Array.from({ length: freezes }, () => ({
    process: processes[Math.floor(random() * processes.length)] as string,
    afterMs: 1_000 + Math.floor(random() * 6_000),
  }))
}

/** One merchant at either gateway, whichever answers. */
class Merchant {
  readonly account: Account
  readonly #gateways: Api[]
  readonly #figures: Calls
  #turn = 0

  constructor(account: Account, baseUrls: string[], figures: Calls) {
    this.account = account
    this.#figures = figures
    const dispatcher = new Agent({ headersTimeout: PATIENCE_MS, bodyTimeout: PATIENCE_MS, connectTimeout: PATIENCE_MS })
    this.#gateways = baseUrls.map((url) => new Api(url, account.live.headers, dispatcher))
  }

  /** Repeats one call, each time at the other gateway, until it is answered to content. */
  async untilAnswered(
    what: string,
    call: (api: Api) => Promise<Reply>,
    isDone = (_reply: Reply) => true,
  ): Promise<Reply> {
    const startedAt = performance.now()
    for (;;) {
      const gateway = this.#gateways[this.#turn++ % this.#gateways.length] as Api
      const reply = await call(gateway).catch(() => undefined)
      const isAnswered = reply && reply.status < 500 && reply.body.error !== 'idempotency_in_progress'
      if (isAnswered && isDone(reply)) {
        const { longestMs } = this.#figures
        longestMs[what] = Math.max(longestMs[what] ?? 0, Math.round(performance.now() - startedAt))
        return reply
      }
      if (!reply || reply.status >= 500) this.#figures.repeatedCalls++
      await wait(150)
    }
  }

  /** An order for the own rider, delivered and paid for; answers its id. */
  async deliver(): Promise<string> {
    const body = orderBody({ rider_id: this.account.rider.id, delivery_commission_minor: COMMISSION_MINOR })
    const created = await this.untilAnswered('order', (api) => api.post('/v1/orders', body))
    if (![200, 201].includes(created.status)) throw new Error(`an order answered ${JSON.stringify(created.body)}`)
    const path = `/v1/orders/${created.body.order.id}`
    // Its rider is given to it a moment after it was stored; until then nobody would be paid.
    await this.untilAnswered(
      'its rider',
      (api) => api.get(path),
      ({ status, body }) => status === 200 && body.order.rider !== null && body.order.rider !== undefined,
    )
    answered(200, await this.untilAnswered('delivered', (api) => api.patch(path, { status: 'delivered' })))
    this.account.expectedMinor -= COMMISSION_MINOR
    return created.body.order.id
  }
}

/** Freezes processes of a mesh of two replicas under load, and compares what was answered with what became of it. */
export async function runFreezes(plan: FreezePlan, report: (line: string) => void): Promise<FreezeFigures> {
  const receiver = await countingReceiver()
  const system = await mesh({ ownServers: true, spans: false, environment, replicas: 2 })
  const pools = Object.fromEntries(
    Object.entries(system.databaseUrls).map(([service, { worker }]) => [
      service,
      new pg.Pool({ connectionString: worker, max: 2 }),
    ]),
  )
  try {
    const frozen = planned(plan, system.processes)
    report(`seed ${plan.seed}: ${frozen.map(({ process, afterMs }) => `${process} after ${afterMs} ms`).join(', ')}`)
    const figures: Calls = { repeatedCalls: 0, longestMs: {} }
    const merchants = await openMerchants(system, plan, receiver.url, figures)

    const orders: string[] = []
    const stopping = new AbortController()
    const client = async (index: number) => {
      const merchant = merchants[index % merchants.length] as Merchant
      while (!stopping.signal.aborted) orders.push(await merchant.deliver())
    }
    await allEnded([
      ...Array.from({ length: plan.clients }, (_, index) => client(index)),
      freezeInTurn(system, frozen, plan.freezeMs, report).finally(() => stopping.abort()),
    ])

    const accounts = merchants.map(({ account }) => account)
    const look = async () => ({
      wrongStories: wrongStories(receiver, orders),
      ...(await factsOf(pools)),
      wrongCommissions: await wrongCommissions(pools['wallet'] as pg.Pool, orders),
      wrongBalances: await wrongBalances(pools['wallet'] as pg.Pool, accounts),
    })
    const drainStarted = Date.now()
    await eventually(async () => (await look().then(entries)) === 0, { timeoutMs: DRAIN_MS, intervalMs: 1_000 }).catch(
      () => {},
    )
    const drainedAfterMs = Date.now() - drainStarted
    const sql = async <Row extends object>(text: string, values: unknown[] = []) =>
      (await (pools['wallet'] as pg.Pool).query<Row>(text, values)).rows
    return {
      frozen,
      accepted: orders.length,
      ...figures,
      ...(await look()),
      changedBodies: [...receiver.events.values()].filter(({ bodies }) => bodies.size > 1).length,
      violations: Object.keys(await violations(sql)),
      drainedAfterMs,
    }
  } finally {
    for (const pool of Object.values(pools)) await pool.end()
    await system.stop()
    receiver.close()
  }
}

const entries = (found: Record<string, object>) =>
  Object.values(found).reduce((sum, faults) => sum + Object.keys(faults).length, 0)

async function openMerchants(system: Mesh, plan: FreezePlan, webhookUrl: string, figures: Calls): Promise<Merchant[]> {
  const minted = await new Api(system.baseUrl).post('/v1/admin/auth/token', { token: system.adminStaticToken })
  const operator = new Api(system.baseUrl).bearing(minted.body.access_token)
  const merchants: Merchant[] = []
  for (let number = 0; number < plan.merchants; number++) {
    const account = await openAccount(system, operator, number)
    answered(200, await account.owner.patch('/v1/me/outbound-webhook', { url: webhookUrl, enabled: true }))
    merchants.push(new Merchant(account, system.baseUrls, figures))
  }
  return merchants
}

async function freezeInTurn(
  system: Mesh,
  frozen: readonly Frozen[],
  freezeMs: number,
  report: (line: string) => void,
): Promise<void> {
  for (const { process, afterMs } of frozen) {
    await wait(afterMs)
    await system.kill(process, 'SIGSTOP')
    try {
      await wait(freezeMs)
    } finally {
      await system.kill(process, 'SIGCONT')
    }
    report(`${process} was frozen for ${freezeMs} ms`)
  }
  // What woke up does what it was about to do while orders still come.
  await wait(3_000)
}

type Receiver = Awaited<ReturnType<typeof countingReceiver>>

function wrongStories(receiver: Receiver, orders: readonly string[]): string[] {
  return orders.flatMap((id) => {
    const got = receiver.of(id).map(({ event, sequence }) => `${sequence} ${event}`)
    const expected = LIVE_STORY.map((event, index) => `${index + 1} ${event}`)
    return got.join() === expected.join() ? [] : [`${id}: ${got.join(', ') || 'nothing'}`]
  })
}

/** What became of every fact that any service announced, at every consumer that wants it; without what is as it should be. */
async function factsOf(
  pools: Record<string, pg.Pool>,
): Promise<Pick<FreezeFigures, 'parked' | 'unpublished' | 'lost'>> {
  const [parked, unpublished, lost] = [{}, {}, {}] as [
    Record<string, number>,
    Record<string, number>,
    Record<string, number>,
  ]
  const announced: Array<{ topic: string; type: string; event_id: string }> = []
  for (const [service, pool] of Object.entries(pools)) {
    const { rows } = await pool.query(
      'SELECT event_id, type, published_at IS NULL AS waits, parked_at IS NOT NULL AS parked FROM outbox',
    )
    announced.push(...rows.map((row) => ({ ...row, topic: `svc.${service}.v1` })))
    note(unpublished, service, rows.filter(({ waits }) => waits).length)
    const { rowCount } = await pool.query('SELECT FROM parked')
    note(parked, service, (rowCount ?? 0) + rows.filter((row) => row.parked).length)
  }
  for (const [service, consumers] of Object.entries(CONSUMERS)) {
    const { rows } = await (pools[service] as pg.Pool).query('SELECT consumer, event_id FROM inbox')
    const taken = new Set(rows.map(({ consumer, event_id }) => `${consumer} ${event_id}`))
    for (const consumer of consumers) {
      const wanted = announced.filter(({ topic, type }) => consumer.wants(topic, type))
      const missing = wanted.filter(({ event_id }) => !taken.has(`${consumer.name} ${event_id}`))
      note(lost, `${service} ${consumer.name}`, missing.length)
    }
  }
  return { parked, unpublished, lost }
}

function note(counts: Record<string, number>, name: string, count: number): void {
  if (count > 0) counts[name] = count
}

async function wrongCommissions(books: pg.Pool, orders: readonly string[]): Promise<string[]> {
  const { rows } = await books.query(
    `SELECT order_id, count(*)::int AS times, sum(amount_minor)::float8 AS minor FROM ledger_lines
      WHERE entry_type = 'commission_credit' AND amount_minor > 0 GROUP BY 1`,
  )
  const paid = new Map(rows.map(({ order_id, times, minor }) => [order_id, `${times} of ${minor}`]))
  const once = `1 of ${COMMISSION_MINOR}`
  return orders.filter((id) => paid.get(id) !== once).map((id) => `${id}: ${paid.get(id) ?? 'none'}`)
}
