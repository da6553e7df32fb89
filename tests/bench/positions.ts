import { PositionServiceService } from '@svc/contracts/dispatch/v1/position_service'
import { type Mesh, mesh, riderCaller } from '@svc/testing'
import autocannon from 'autocannon'
import pg from 'pg'
import { Api, signUp } from '../journeys/merchant.ts'
import { dispatchProcess } from './dispatch-process.ts'
import { approve } from './keys.ts'
import { median, percentile, platform, rounded, table } from './report.ts'
import { addRiders, somewhere } from './riders.ts'

/**
 * Positions per second, one and twenty to the call: through the gateway with the tokens of so many riders, at the
 * dispatch service alone, and next to a statement that updates one row; in turns within one run. Then the latency
 * through the gateway at a steady two thousand calls per second.
 *
 *   node --conditions=source tests/bench/positions.ts [seconds per turn] [rounds] [clients]
 */
const seconds = Number(process.argv[2] ?? 8)
const rounds = Number(process.argv[3] ?? 3)
const clients = Number(process.argv[4] ?? 50)
const BATCH = 20
const STEADY_PER_SECOND = 2_000
/** At 120 calls a minute each; fewer would measure refusals. */
const RIDERS = 1_800
/** Each mints 150 tokens, of the 300 calls that it may make a minute. */
const KEYS = 12

interface Measured {
  perSecond: number
  p50Ms: number
  p99Ms: number
  /** Of the dispatch process, where it runs alone. */
  cpuMicrosPerCall?: number
}

const point = () => ({ ...somewhere(), accuracy_m: 5, speed_mps: 8.3, heading_deg: 120 })
const points = (count: number) => Array.from({ length: count }, point)

const system = await mesh({ spans: false })
const alone = await dispatchProcess()
const positionsAs = alone.client(PositionServiceService)
const ownRiders = await addRiders(alone.worker, RIDERS)
const updates = new pg.Pool({ connectionString: alone.database.ownerUrl, max: 10 })
await updates.query('CREATE SCHEMA baseline')
await updates.query(
  'CREATE TABLE baseline.positions (rider_id uuid PRIMARY KEY, lat float8, lng float8, at timestamptz)',
)
await updates.query('INSERT INTO baseline.positions SELECT id FROM unnest($1::uuid[]) AS rider (id)', [ownRiders])

let turn = 0
const next = <T>(all: readonly T[]): T => all[turn++ % all.length] as T

try {
  const riders = await ridersWithTokens(system)
  const sides = {
    'gateway, 1 per call': () => throughGateway(riders, 1),
    [`gateway, ${BATCH} per call`]: () => throughGateway(riders, BATCH),
    'service, 1 per call': () => closedLoop(() => record(1)),
    [`service, ${BATCH} per call`]: () => closedLoop(() => record(BATCH)),
    'one-row UPDATE': () => closedLoop(updateOne),
  }
  // V8 goes on compiling a process of this size for about twenty seconds of load.
  for (const run of Object.values(sides)) await run()
  const measured = new Map(Object.keys(sides).map((side) => [side, [] as Measured[]]))
  for (let round = 0; round < rounds; round++) {
    for (const [side, run] of Object.entries(sides)) measured.get(side)?.push(await run())
  }
  const of = (side: string, key: keyof Measured) =>
    median((measured.get(side) ?? []).map((each) => each[key] ?? Number.NaN))
  const perCall = (side: string) => (side.includes(`${BATCH} per`) ? BATCH : 1)
  console.log(platform())
  for (const side of Object.keys(sides).filter((name) => name.startsWith('service'))) {
    console.log(`${side}: ${rounded(of(side, 'cpuMicrosPerCall'))} µs of CPU of the dispatch process per call`)
  }
  console.log(
    table(
      [`${clients} clients`, 'calls/s', 'positions/s', 'p50 ms', 'p99 ms', 'positions to UPDATEs'],
      Object.keys(sides).map((side) => [
        side,
        rounded(of(side, 'perSecond')),
        rounded(of(side, 'perSecond') * perCall(side)),
        rounded(of(side, 'p50Ms'), 1),
        rounded(of(side, 'p99Ms'), 1),
        rounded((of(side, 'perSecond') * perCall(side)) / of('one-row UPDATE', 'perSecond'), 2),
      ]),
    ),
  )
  const steady = await throughGateway(riders, 1, STEADY_PER_SECOND)
  console.log(
    `asked for ${STEADY_PER_SECOND} calls per second: ${rounded(steady.perSecond)} came, p50 ${steady.p50Ms} ms, p99 ${steady.p99Ms} ms`,
  )
} finally {
  await updates.end()
  await alone.stop()
  await system.stop()
}

interface Rider {
  id: string
  token: string
}

/** Riders of one fleet, each with the token that its merchant minted. */
async function ridersWithTokens({ baseUrl, adminStaticToken, databaseUrls }: Mesh): Promise<Rider[]> {
  const merchant = await signUp(baseUrl)
  await approve({ baseUrl, adminStaticToken }, merchant)
  const worker = new pg.Pool({ connectionString: databaseUrls['dispatch']?.worker, max: 1 })
  const ids = await addRiders(worker, RIDERS, merchant.merchantId)
  await worker.end()
  const share = Math.ceil(RIDERS / KEYS)
  const minted: Rider[] = []
  for (let start = 0; start < ids.length; start += share) {
    const key = await merchant.owner.post('/v1/me/api-keys', { is_test: false, scopes: ['orders:write'] })
    const api = new Api(baseUrl).bearing(key.body.api_key)
    for (const id of ids.slice(start, start + share)) {
      const { status, body } = await api.post('/v1/auth/rider/token', { rider_id: id })
      if (status !== 200) throw new Error(`minting a token answered ${status}: ${JSON.stringify(body)}`)
      minted.push({ id, token: body.access_token })
    }
  }
  return minted
}

/** Calls from `clients` connections, each as the next rider: in a closed loop, or so many per second. */
async function throughGateway(riders: readonly Rider[], count: number, perSecond?: number): Promise<Measured> {
  const result = await autocannon({
    url: system.baseUrl,
    connections: clients,
    duration: seconds,
    ...(perSecond && { overallRate: perSecond }),
    requests: [
      {
        method: 'POST',
        setupRequest: (request) => {
          const { id, token } = next(riders)
          return {
            ...request,
            path: `/v1/riders/${id}/location`,
            headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
            body: JSON.stringify(count === 1 ? point() : { points: points(count) }),
          }
        },
      },
    ],
  })
  const refused = result.non2xx + result.errors
  if (refused > 0) throw new Error(`${refused} calls were refused; the run says nothing`)
  return { perSecond: result['2xx'] / result.duration, p50Ms: result.latency.p50, p99Ms: result.latency.p99 }
}

async function record(count: number): Promise<void> {
  const riderId = next(ownRiders)
  await positionsAs(riderCaller(riderId)).recordPositions({ rider_id: riderId, points: points(count) })
}

async function updateOne(): Promise<void> {
  const { lat, lng } = point()
  const text = 'UPDATE baseline.positions SET lat = $2, lng = $3, at = app_now() WHERE rider_id = $1'
  await updates.query({ name: 'update', text, values: [next(ownRiders), lat, lng] })
}

async function closedLoop(call: () => Promise<void>): Promise<Measured> {
  const took: number[] = []
  const cpuBefore = alone.cpuMs()
  const startedAt = performance.now()
  const endsAt = startedAt + seconds * 1000
  async function client(): Promise<void> {
    for (;;) {
      const began = performance.now()
      if (began > endsAt) return
      await call()
      took.push(performance.now() - began)
    }
  }
  await Promise.all(Array.from({ length: clients }, client))
  const elapsedSeconds = (performance.now() - startedAt) / 1000
  const cpuMicrosPerCall = ((alone.cpuMs() - cpuBefore) * 1000) / took.length
  return {
    perSecond: took.length / elapsedSeconds,
    p50Ms: median(took),
    p99Ms: percentile(took, 0.99),
    cpuMicrosPerCall,
  }
}
