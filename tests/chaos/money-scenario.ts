import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { eventually, type Mesh } from '@svc/testing'
import pg from 'pg'
import { violations } from '../../services/wallet/test/ledger-violations.ts'
import { approve } from '../bench/keys.ts'
import { joinFleet, type TestRider } from '../journeys/fleet.ts'
import { Api, orderBody, type Reply, signUp } from '../journeys/merchant.ts'
import { topUp } from '../journeys/money.ts'
import { allEnded } from './all-ended.ts'
import { type Kills, killInTurn } from './kill-in-turn.ts'

/** Orders settled, of which a busy machine makes less in the time. */
const AT_LEAST = 11

/** Money moves as long as parts are killed, and until AT_LEAST orders are settled. */
export interface MoneyPlan extends Kills {
  clients: number
  merchants: number
}

export interface Account {
  merchantId: string
  /** Bears a login token. */
  owner: Api
  live: Api
  rider: TestRider
  /** What the answers say that it must have. */
  expectedMinor: number
}

export interface MoneyFigures {
  kills: number
  repeatedCalls: number
  settled: number
  declined: number
  topups: number
  withdrawals: number
  /** Acknowledged, and not in the books. */
  lost: string[]
  /** In the books more than once, or although refused. */
  doubled: string[]
  /** Wallets that hold something other than the answers say. */
  wrongBalances: string[]
  negative: number
  violations: string[]
  openIntents: number
  drainedAfterMs: number
}

export const COMMISSION_MINOR = 1_000
export const FIRST_MONEY_MINOR = 100_000_000

/** What a mesh must be told for it. */
export const MONEY_ENVIRONMENT = {
  RIDER_MAX_ACTIVE_ORDERS: '1000000',
  RATE_LIVE_KEY_PER_MINUTE: '1000000',
  RATE_LIVE_MERCHANT_PER_MINUTE: '1000000',
  COMMISSION_TRIGGER_STATUSES: 'delivered',
  WITHDRAWAL_MIN_MINOR: '100',
}

/** A merchant who may trade, with money, a rider of its own and an account for withdrawals. */
export async function openAccount(system: Mesh, operator: Api, number: number): Promise<Account> {
  const signedUp = await signUp(system.baseUrl, `127.0.11.${1 + number}`)
  await approve(system, signedUp)
  const key = await signedUp.owner.post('/v1/me/api-keys', { label: 'live' })
  const anyone = new Api(system.baseUrl).callingFrom(`127.0.11.${1 + number}`)
  const live = anyone.bearing(key.body.api_key)
  const rider = await joinFleet({ system, anyone, operator, live }, `Rider ${number}`, 0.002)
  await topUp(system, live, FIRST_MONEY_MINOR)
  const instrument = await live.post('/v1/me/payout-instruments', { bank_code: '058', account_number: '0123456789' })
  if (instrument.status !== 201) throw new Error(`an instrument answered ${instrument.status}`)
  return { merchantId: signedUp.merchantId, owner: signedUp.owner, live, rider, expectedMinor: FIRST_MONEY_MINOR }
}

/** What was acknowledged, to be found in the books afterwards. */
interface Acknowledged {
  settled: string[]
  declined: string[]
  withdrawals: string[]
  topups: string[]
}

/** Repeats one call until it is answered, as a merchant's retry would: also while its first try may still be under way. */
async function untilAnswered(call: () => Promise<Reply>, repeated: () => void): Promise<Reply> {
  for (;;) {
    const reply = await call().catch(() => undefined)
    const isAnswered = reply && reply.status < 500 && reply.status !== 429
    if (isAnswered && reply.body.error !== 'idempotency_in_progress') return reply
    repeated()
    await wait(150)
  }
}

async function moveMoney(system: Mesh, [dear, ...accounts]: Account[], plan: MoneyPlan, repeated: () => void) {
  const acknowledged: Acknowledged = { settled: [], declined: [], withdrawals: [], topups: [] }
  const end = Date.now() + plan.loadMs
  let turns = 0
  // One at a time, of an account of their own: while such an order is carried, its merchant has nothing left.
  let overreached = Promise.resolve()
  const client = async () => {
    for (let turn = turns++; Date.now() < end || acknowledged.settled.length < AT_LEAST; turn = turns++) {
      const account = accounts[turn % accounts.length] as Account
      if (turn % 12 === 5) await withdraw(account, acknowledged, repeated)
      else if (turn % 12 === 11) await pour(system, account, acknowledged, repeated)
      else if (turn % 12 !== 3) await deliver(account, acknowledged, repeated)
      else await (overreached = overreached.then(() => overreach(dear as Account, acknowledged, repeated)))
    }
  }
  await allEnded(Array.from({ length: plan.clients }, client))
  return acknowledged
}

/** Delivers a new order twice at once; answers the order and both replies. */
async function delivered({ live, rider }: Account, amountMinor: number, repeated: () => void) {
  const body = orderBody({ rider_id: rider.id, delivery_commission_minor: amountMinor })
  const created = await untilAnswered(() => live.post('/v1/orders', body), repeated)
  if (![200, 201].includes(created.status)) throw new Error(`an order answered ${JSON.stringify(created.body)}`)
  const id = created.body.order.id as string
  // Its rider is given to it a moment after it was stored; until then nobody would be paid.
  await untilAnswered(async () => {
    const reply = await live.get(`/v1/orders/${id}`)
    return reply.status === 200 && !reply.body.order.rider ? { ...reply, status: 503 } : reply
  }, repeated)
  const patch = () => untilAnswered(() => live.patch(`/v1/orders/${id}`, { status: 'delivered' }), repeated)
  return { id, replies: await Promise.all([patch(), patch()]) }
}

async function deliver(account: Account, done: Acknowledged, repeated: () => void): Promise<void> {
  const { id, replies } = await delivered(account, COMMISSION_MINOR, repeated)
  for (const { status, body } of replies)
    if (status !== 200) throw new Error(`a PATCH answered ${JSON.stringify(body)}`)
  done.settled.push(id)
  account.expectedMinor -= COMMISSION_MINOR
}

/** Asks for more than there is: all there is waits for the rider until the order is cancelled, and then comes back. */
async function overreach(account: Account, done: Acknowledged, repeated: () => void): Promise<void> {
  const { live } = account
  const { id, replies } = await delivered(account, 10 * FIRST_MONEY_MINOR, repeated)
  for (const { body } of replies)
    if (body.error !== 'insufficient_merchant_wallet') throw new Error(`a PATCH answered ${JSON.stringify(body)}`)
  done.declined.push(id)
  const cancelled = await untilAnswered(() => live.post(`/v1/orders/${id}/cancel`, { reason: 'too dear' }), repeated)
  if (cancelled.status !== 200) throw new Error(`a cancel answered ${JSON.stringify(cancelled.body)}`)
  await untilAnswered(async () => {
    const reply = await live.get('/v1/me/wallet')
    return reply.status === 200 && reply.body.wallet.held_minor > 0 ? { ...reply, status: 503 } : reply
  }, repeated)
}

async function withdraw(account: Account, done: Acknowledged, repeated: () => void): Promise<void> {
  const headers = { 'idempotency-key': randomUUID() }
  const asked = { amount_minor: 700 }
  const reply = await untilAnswered(() => account.live.post('/v1/me/withdrawals/request', asked, headers), repeated)
  if (reply.status !== 201) throw new Error(`a withdrawal answered ${JSON.stringify(reply.body)}`)
  done.withdrawals.push(reply.body.withdrawal.id)
  account.expectedMinor -= asked.amount_minor
}

async function pour(system: Mesh, account: Account, done: Acknowledged, repeated: () => void): Promise<void> {
  const asked = { amount_minor: 600_000 }
  const path = '/v1/me/wallet/payments-a-topup-intent'
  const headers = { 'idempotency-key': randomUUID() }
  const reply = await untilAnswered(() => account.live.post(path, asked, headers), repeated)
  if (reply.status !== 201) throw new Error(`a top-up answered ${JSON.stringify(reply.body)}`)
  const { reference } = reply.body
  const control = new Api(system.providersUrl)
  // Every third hook is lost: the payment is found by asking.
  const hook = done.topups.push(reference) % 3 > 0
  await untilAnswered(
    () => control.post(`/__control/charges/${reference}`, { outcome: 'success', hook, times: 2 }),
    repeated,
  )
  account.expectedMinor += asked.amount_minor
}

/** Kills services and Postgres while money moves, and compares what was answered with what the books say. */
export async function runMoneyChaos(system: Mesh, plan: MoneyPlan): Promise<MoneyFigures> {
  const pools = ['wallet', 'order'].map((name) => {
    const pool = new pg.Pool({ connectionString: system.databaseUrls[name]?.worker, max: 2 })
    pool.on('error', () => {})
    return pool
  }) as [pg.Pool, pg.Pool]
  const [wallet, orders] = pools
  try {
    const anyone = new Api(system.baseUrl)
    const minted = await anyone.post('/v1/admin/auth/token', { token: system.adminStaticToken })
    const operator = anyone.bearing(minted.body.access_token)
    const accounts: Account[] = []
    for (let number = 0; number <= plan.merchants; number++) accounts.push(await openAccount(system, operator, number))

    let repeatedCalls = 0
    const [done, kills] = await allEnded([
      moveMoney(system, accounts, plan, () => repeatedCalls++),
      killInTurn(system, plan),
    ])

    const started = Date.now()
    const openIntents = async () => {
      const { rows } = await orders.query(
        `SELECT count(*)::int AS open FROM intent WHERE state IN ('pending', 'aborting')`,
      )
      return rows[0].open as number
    }
    const wrong = async () => (await wrongBalances(wallet, accounts)).length + (await openIntents())
    await eventually(async () => (await wrong()) === 0, { timeoutMs: 90_000, intervalMs: 500 }).catch(() => {})
    return {
      kills,
      repeatedCalls,
      settled: done.settled.length,
      declined: done.declined.length,
      topups: done.topups.length,
      withdrawals: done.withdrawals.length,
      ...(await audit(wallet, done)),
      wrongBalances: await wrongBalances(wallet, accounts),
      violations: Object.keys(await violations(async (text, values = []) => (await wallet.query(text, values)).rows)),
      openIntents: await openIntents(),
      drainedAfterMs: Date.now() - started,
    }
  } finally {
    for (const pool of pools) await pool.end()
  }
}

/** Wallets that do not have what the answers add up to. */
export async function wrongBalances(wallet: pg.Pool, accounts: Account[]): Promise<string[]> {
  const { rows } = await wallet.query(
    `SELECT owner_id, balance_minor::float8 AS balance FROM accounts
      WHERE owner_id = ANY($1) AND purpose = 'available' AND NOT is_test`,
    [accounts.map(({ merchantId }) => merchantId)],
  )
  const balances = new Map(rows.map(({ owner_id, balance }) => [owner_id, balance]))
  return accounts
    .filter(({ merchantId, expectedMinor }) => balances.get(merchantId) !== expectedMinor)
    .map(({ merchantId, expectedMinor }) => `${merchantId}: ${balances.get(merchantId)} instead of ${expectedMinor}`)
}

/** Acknowledged movements that are not in the books exactly once, and refused ones that are. */
async function audit(
  wallet: pg.Pool,
  done: Acknowledged,
): Promise<Pick<MoneyFigures, 'lost' | 'doubled' | 'negative'>> {
  const lines = async (column: string, type: string): Promise<Map<string, number>> => {
    const { rows } = await wallet.query(
      `SELECT ${column} AS subject, count(*)::int AS times FROM ledger_lines l JOIN wallet_ops o USING (op_key)
        WHERE l.entry_type = $1 AND l.amount_minor ${type === 'withdrawal_reserve' ? '<' : '>'} 0 GROUP BY 1`,
      [type],
    )
    return new Map(rows.map(({ subject, times }) => [subject, times]))
  }
  const [paid, credited, reserved] = [
    await lines('l.order_id', 'commission_credit'),
    await lines(`o.about ->> 'reference'`, 'topup'),
    await lines(`o.about ->> 'withdrawal_id'`, 'withdrawal_reserve'),
  ]
  const expected: Array<[Map<string, number>, string[]]> = [
    [paid, done.settled],
    [credited, done.topups],
    [reserved, done.withdrawals],
  ]
  const { rows } = await wallet.query(
    'SELECT count(*)::int AS negative FROM ledger_lines WHERE balance_after_minor < 0',
  )
  return {
    lost: expected.flatMap(([books, ids]) => ids.filter((id) => !books.has(id))),
    doubled: [
      ...expected.flatMap(([books, ids]) => ids.filter((id) => (books.get(id) ?? 0) > 1)),
      ...done.declined.filter((id) => paid.has(id)),
    ],
    negative: rows[0].negative,
  }
}
