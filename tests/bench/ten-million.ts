import { loadavg } from 'node:os'
import { mesh } from '@svc/testing'
import { countingReceiver } from '../chaos/receiver.ts'
import { Api } from '../journeys/merchant.ts'
import { type BigMerchant, FILLED, type FilledService, grow, oneOrder, sizes } from './big-merchant.ts'
import { median, platform, rounded, table } from './report.ts'

/**
 * What lists and point reads cost a merchant with ten million orders, events, deliveries and entries, next to one with a
 * hundred thousand, in turns within one run. Ends with 1 where one costs more than 1.5 times as much. About 6 GB of
 * disk and ten minutes a million.
 *
 *   node --conditions=source tests/bench/ten-million.ts [orders of the big one] [orders of the small one] [rounds] [services]
 */
const bigOrders = Number(process.argv[2] ?? 10_000_000)
const smallOrders = Number(process.argv[3] ?? 100_000)
const rounds = Number(process.argv[4] ?? 41)
const services = process.argv[5] ? (process.argv[5].split(',') as FilledService[]) : FILLED
const HIGHEST_RATIO = 1.5

const manyCalls = Object.fromEntries(
  ['RATE_LIVE_KEY_PER_MINUTE', 'RATE_RIDER_PER_MINUTE', 'RATE_ADMIN_PER_MINUTE', 'RIDER_MAX_ACTIVE_ORDERS'].map(
    (name) => [name, '1000000'],
  ),
)

interface Read {
  name: string
  /** Answers the status of the call. */
  of(merchant: BigMerchant, turn: number): Promise<{ status: number }>
}

/** Every list and point read that a merchant's rows can slow down. */
function reads(operator: Api): Record<FilledService, Read[]> {
  const merchants = (name: string, path: (merchant: BigMerchant, n: number) => string): Read => ({
    name,
    of: (merchant, turn) => merchant.live.get(path(merchant, numberOf(turn))),
  })
  const riders = (name: string, path: string): Read => ({ name, of: ({ rider }) => rider.api.get(path) })
  const operators = (name: string, path: (merchant: BigMerchant, n: number) => string): Read => ({
    name: `operator: ${name}`,
    of: (merchant, turn) => operator.get(path(merchant, numberOf(turn))),
  })
  const orderFilters = [
    '',
    'offset=900',
    'source=shop',
    'source=nobody',
    'is_test=false',
    'status=delivered',
    'status=cancelled',
    'status=unheard_of',
    'payment_verified=true',
    'payment_verified=false',
    'status=pending&payment_verified=true',
    'source=shop&status=delivered',
    'external_order_id=unheard-of',
  ]
  const deliveryFilters = [
    '',
    'offset=900',
    'status=succeeded',
    'status=dead',
    'status=pending',
    'event=order.created',
    'event=order.picked_up',
    'status=dead&event=order.created',
  ]
  const auditFilters = [
    '',
    'offset=900',
    'action=order.cancel',
    'action=unheard_of',
    'resource_type=order',
    'actor_type=admin',
    'action=order.cancel&actor_type=admin',
  ]
  const yesterday = new Date(Date.now() - 86_400_000).toISOString()
  return {
    order: [
      ...orderFilters.map((filter) => merchants(`orders ?${filter}`, () => `/v1/orders?${filter}`)),
      merchants(
        'orders, by external id',
        ({ merchantId }, n) => `/v1/orders?external_order_id=${merchantId.slice(0, 8)}-${n}`,
      ),
      merchants('order', (merchant, n) => `/v1/orders/${merchant.orderNumber(n)}`),
      riders('rider: orders', '/v1/riders/me/orders'),
      riders('rider: orders ?status=delivered', '/v1/riders/me/orders?status=delivered'),
      riders('rider: orders ?status=unheard_of', '/v1/riders/me/orders?status=unheard_of'),
      ...orderFilters.map((filter) =>
        operators(`orders ?${filter}`, ({ merchantId }) => `/v1/admin/orders?merchant_id=${merchantId}&${filter}`),
      ),
      operators('order', (merchant, n) => `/v1/admin/orders/${merchant.orderNumber(n)}`),
      operators('codes sent', (merchant, n) => `/v1/admin/otp-send-logs?order_id=${merchant.orderNumber(n)}`),
      operators('dead letters', ({ merchantId }) => `/v1/admin/ingestion-dlq?merchant_id=${merchantId}`),
    ],
    dispatch: [
      merchants('dispatch candidates', ({ orderId }) => `/v1/orders/${orderId}/dispatch-candidates?lat=6.45&lng=3.39`),
      merchants('dispatch trace', (merchant, n) => `/v1/orders/${merchant.orderNumber(n)}/dispatch-trace`),
      merchants('fleet', () => '/v1/me/fleet/riders'),
      merchants('live positions', () => '/v1/me/realtime/rider-location'),
      merchants('riders near', () => '/v1/me/riders/near?lat=6.45&lng=3.39'),
      merchants('positions of a rider', ({ rider }) => `/v1/me/riders/${rider.id}/location/history`),
      merchants('API keys', () => '/v1/me/api-keys'),
      riders('rider: offers', '/v1/riders/me/dispatch-offers'),
      operators('merchant', ({ merchantId }) => `/v1/admin/merchants/${merchantId}`),
      operators('riders', ({ merchantId }) => `/v1/admin/riders?merchant_id=${merchantId}`),
      operators('SOS alerts', ({ merchantId }) => `/v1/admin/sos-alerts?merchant_id=${merchantId}`),
    ],
    webhook: [
      merchants('events', () => '/v1/events'),
      merchants('events, from the middle', ({ orders }) => `/v1/events?after=${Math.floor(orders / 2)}`),
      merchants('events of an order', (merchant, n) => `/v1/events?order_id=${merchant.orderNumber(n)}`),
      ...deliveryFilters.map((filter) =>
        merchants(`deliveries ?${filter}`, () => `/v1/me/outbound-webhook/deliveries?${filter}`),
      ),
      merchants(
        'deliveries of an order',
        (merchant, n) => `/v1/me/outbound-webhook/deliveries?order_id=${merchant.orderNumber(n)}`,
      ),
      ...deliveryFilters.map((filter) =>
        operators(
          `deliveries ?${filter}`,
          ({ merchantId }) => `/v1/admin/merchants/${merchantId}/outbound-webhook-deliveries?${filter}`,
        ),
      ),
    ],
    wallet: [
      merchants('wallet', () => '/v1/me/wallet'),
      merchants('wallet, its middle', ({ orders }) => `/v1/me/wallet?offset=${Math.floor(orders / 2)}`),
      ...['', 'entry_type=commission_hold', 'entry_type=commission_released', 'offset=900'].map((filter) =>
        merchants(`escrow ledger ?${filter}`, () => `/v1/me/escrow-ledger?${filter}`),
      ),
      merchants('cash', () => '/v1/me/cod-statement'),
      merchants('cash of the last day', () => `/v1/me/cod-statement?since=${yesterday}`),
      merchants('cash but of the last day', () => `/v1/me/cod-statement?until=${yesterday}`),
      merchants('cash accounts', () => '/v1/me/cod-accounts'),
      merchants('remittances', () => '/v1/me/cod-remittances'),
      merchants('escrow of an order', (merchant, n) => `/v1/me/escrow-ledger?order_id=${merchant.orderNumber(n)}`),
      merchants('withdrawals', () => '/v1/me/withdrawals'),
      merchants('billing usage', () => '/v1/me/billing-usage'),
      riders('rider: ledger', '/v1/riders/me/ledger'),
      riders('rider: withdrawals', '/v1/riders/me/withdrawals'),
      operators('ledger', ({ merchantId }) => `/v1/admin/merchants/${merchantId}/ledger`),
      operators('withdrawals', ({ merchantId }) => `/v1/admin/withdrawals?owner_type=merchant&owner_id=${merchantId}`),
    ],
    admin: [
      ...auditFilters.map((filter) =>
        operators(
          `audit log ?${filter}`,
          ({ merchantId }) => `/v1/admin/audit-logs?merchant_id=${merchantId}&${filter}`,
        ),
      ),
      operators('users', ({ merchantId }) => `/v1/admin/merchants/${merchantId}/users`),
    ],
  }
}

/** What operators read of all merchants together: it has no smaller twin, and must answer all the same. */
const ordersOfAll = [
  '',
  'source=shop',
  'source=nobody',
  'is_test=true',
  'status=delivered',
  'status=unheard_of',
  'payment_verified=true',
  'external_order_id=unheard-of',
  'status=unheard_of&payment_verified=true',
].map((filter) => `/v1/admin/orders?${filter}`)
const entriesOfAll = ['', 'action=order.cancel', 'action=unheard_of', 'resource_type=order', 'actor_type=admin'].map(
  (filter) => `/v1/admin/audit-logs?${filter}`,
)

/** Another order each turn, spread over all of them. */
const numberOf = (turn: number) => 1 + turn * 7_919

async function milliseconds(name: string, call: () => Promise<{ status: number }>): Promise<number> {
  const before = performance.now()
  const { status } = await call()
  const took = performance.now() - before
  if (status !== 200) throw new Error(`${name} answered ${status} after ${rounded(took)} ms`)
  return took
}

const receiver = await countingReceiver()
const system = await mesh({ ownServers: true, spans: false, environment: manyCalls })
try {
  const minted = await new Api(system.baseUrl).post('/v1/admin/auth/token', { token: system.adminStaticToken })
  const operator = new Api(system.baseUrl).bearing(minted.body.access_token)
  const [one, other] = [
    await oneOrder(system, operator, 1, receiver.url),
    await oneOrder(system, operator, 2, receiver.url),
  ]
  const filling = performance.now()
  const small = await grow(system, one, smallOrders, services)
  const big = await grow(system, other, bigOrders, services)
  console.log(`filled in ${rounded((performance.now() - filling) / 1_000)} s`)
  console.log(table(['table', 'its rows, GB', 'its indexes, GB'], await sizes(system, services)))

  const rows: Array<[string, string, string, string, string, string]> = []
  let failures = 0
  const readable = reads(operator)
  for (const read of services.flatMap((service) => readable[service])) {
    const { name } = read
    const times = { big: [] as number[], small: [] as number[] }
    let failure = ''
    let first = 0
    try {
      for (let turn = -3; turn < rounds; turn++) {
        for (const [size, merchant] of [
          ['big', big],
          ['small', small],
        ] as const) {
          const took = await milliseconds(`${name} of the ${size} one`, () => read.of(merchant, turn + 3))
          if (turn === -3 && size === 'big') first = took
          // The first turns plan statements, read pages that nobody has read, and count what later turns believe.
          if (turn >= 0) times[size].push(took)
        }
      }
    } catch (error) {
      failure = (error as Error).message
    }
    const ratio = median(times.big) / median(times.small)
    const isMet = !failure && ratio <= HIGHEST_RATIO
    if (!isMet) failures++
    rows.push([
      name,
      `${rounded(median(times.big), 1)}`,
      `${rounded(median(times.small), 1)}`,
      `${rounded(ratio, 2)}`,
      `${rounded(first, 1)}`,
      isMet ? '' : failure || 'missed',
    ])
  }
  const readsOfAll = [
    ...(services.includes('order') ? ordersOfAll : []),
    ...(services.includes('admin') ? entriesOfAll : []),
  ]
  for (const path of readsOfAll) {
    const times: number[] = []
    let failure = ''
    try {
      for (let turn = 0; turn < 7; turn++) times.push(await milliseconds(path, () => operator.get(path)))
    } catch (error) {
      failure = (error as Error).message
      failures++
    }
    rows.push([
      `operator, of all: ${path.slice('/v1/admin/'.length)}`,
      `${rounded(median(times), 1)}`,
      '',
      '',
      `${rounded(times[0] ?? 0, 1)}`,
      failure,
    ])
  }
  console.log(
    `${platform()}; load at the end ${loadavg()
      .map((load) => rounded(load, 1))
      .join(', ')}`,
  )
  console.log(`${bigOrders} orders next to ${smallOrders}, ${rounds} rounds, p50 ms`)
  console.log(table(['read', 'big', 'small', 'ratio', 'the first of big', ''], rows))
  process.exitCode = failures > 0 ? 1 : 0
} finally {
  await system.stop()
  receiver.close()
}
