import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { eventually, mesh } from '@svc/testing'
import autocannon from 'autocannon'
import pg from 'pg'
import { Api, answered, orderBody, signUp } from '../journeys/merchant.ts'
import { startBaseline } from './baseline.ts'
import { type CpuMs, cpuMs } from './cpu.ts'
import { approve, mintKeys } from './keys.ts'
import { loadOrders } from './load.ts'
import { platform, rounded, table } from './report.ts'
import { addRiders, somewhere } from './riders.ts'
import { takenOver } from './taken-over.ts'

/**
 * What five operations cost in CPU, in all processes of the mesh, as a ratio to what the same costs a bare process in the
 * same run, what an idle mesh uses taken off; in turns of as many operations whatever else the machine does. Ends with 1
 * where a ratio is more than 1.5 times the committed one, and is so each time that it is measured once more.
 * Takes less than two minutes on a machine that does nothing else.
 *
 *   npm run regression [-- rounds]
 *   npm run regression -- 5 --write     the figures become the committed ones
 */
const isWriting = process.argv.includes('--write')
const rounds = Number(process.argv.slice(2).find((argument) => !argument.startsWith('--')) ?? 2)
const FIGURES = join(import.meta.dirname, 'regression.json')
const TOLERANCE = 1.5
/** How often what is above is measured once more. */
const AGAIN = 2
const CLIENTS = 20
const RIDERS = 20
const IDLE_MS = 4_000
/** Operations of a turn: about a second of it. What is bare needs more of them for as exact a figure. */
const CALLS = { read: 2_500, create: 800, page: 200, move: 2_500, post: 1_000 }
const committed = JSON.parse(readFileSync(FIGURES, 'utf8')) as Record<string, number>

const unlimited = (names: string[]) => Object.fromEntries(names.map((name) => [`RATE_${name}`, '10000000']))
const system = await mesh({
  ownServers: true,
  spans: false,
  environment: unlimited([
    'LIVE_KEY_PER_MINUTE',
    'LIVE_MERCHANT_PER_MINUTE',
    'RIDER_PER_MINUTE',
    'SIGNUP_PER_HOUR',
    'USER_PER_MINUTE',
  ]),
})
const baseline = await startBaseline(system)
const sink = await startSink()
const poster = fork(join(import.meta.dirname, 'baseline-poster.ts'), {
  env: { ...process.env, SINK_URL: sink.url },
  execArgv: ['--conditions=source'],
})
await once(poster, 'message')
const allTakenOver = takenOver(system)
const further = { baseline: baseline.process.pid as number, poster: poster.pid as number }

/** Milliseconds of CPU an operation, and their ratio. */
interface Figure {
  mesh: number
  bare: number
  ratio: number
}

/** Does a turn's work and says how many operations that were. */
type Turn = () => Promise<number>
interface Path {
  mesh: Turn
  bare: Turn
  /** The processes whose time counts; all of the mesh unless told otherwise. */
  of?: readonly string[]
  bareOf?: readonly string[]
}

try {
  const plain = await mintKeys(system, 4, { isTest: false })
  const heard: string[] = []
  for (let merchant = 0; merchant < 4; merchant++)
    heard.push(...(await mintKeys(system, 1, { isTest: false, webhookUrl: sink.url })))
  const paths = await pathsOf(plain, heard)
  await wait(IDLE_MS)
  const idle = await idlePerMs()

  const figures: Record<string, Figure> = {}
  for (const [name, path] of Object.entries(paths)) {
    for (const turn of [path.mesh, path.bare]) await turn()
    let figure = await figureOf(path, idle)
    // What was beside it may have ended: only what is above each time is worse.
    for (let again = 0; again < AGAIN && !isWriting && isWorse(name, figure); again++) {
      const next = await figureOf(path, idle)
      if (next.ratio < figure.ratio) figure = next
    }
    figures[name] = figure
  }
  report(figures)
} finally {
  baseline.stop()
  poster.kill()
  sink.stop()
  await allTakenOver.close()
  await system.stop()
}

async function pathsOf(plain: string[], heard: string[]): Promise<Record<string, Path>> {
  const [token] = plain as [string]
  const api = new Api(system.baseUrl).bearing(token)
  const { order } = answered(201, await api.post('/v1/orders', orderBody())).body
  const riders = await ridersWithTokens()
  const moves = (url: string) => () =>
    load(
      url,
      CALLS.move,
      riders.map(({ id, token: own }) => moveOf(id, own)),
    )
  const reads = (path: string, calls: number) => () =>
    load(system.baseUrl, calls, [{ method: 'GET', path, headers: bearing(token) }])
  const create = async (url: string, tokens: string[]) => {
    const { accepted, refused } = await loadOrders({ url, connections: CLIENTS, calls: CALLS.create, tokens })
    if (refused > 0) throw new Error(`${refused} orders were refused; the run says nothing`)
    return accepted
  }
  let bareId = ''
  const bareOrder = async () => {
    bareId ||= answered(201, await new Api(baseline.url).post('/v1/orders', orderBody())).body.order.id
    return bareId
  }
  return {
    'GET one order': {
      mesh: reads(`/v1/orders/${order.id}`, CALLS.read),
      bare: async () => load(baseline.url, CALLS.read, [{ method: 'GET', path: `/v1/orders/${await bareOrder()}` }]),
    },
    'POST an order': {
      async mesh() {
        const accepted = await create(system.baseUrl, plain)
        await allTakenOver()
        return accepted
      },
      bare: () => create(baseline.url, plain),
    },
    'GET a page of 50 orders': {
      mesh: reads('/v1/orders?limit=50', CALLS.page),
      bare: () => load(baseline.url, 2 * CALLS.page, [{ method: 'GET', path: '/v1/orders' }]),
    },
    'POST a position': { mesh: moves(system.baseUrl), bare: moves(baseline.url) },
    'a webhook, from fact to answer': {
      of: ['webhook'],
      bareOf: ['poster'],
      async mesh() {
        const before = sink.received()
        const accepted = await create(system.baseUrl, heard)
        await eventually(() => sink.received() - before >= accepted, { timeoutMs: 120_000, intervalMs: 100 })
        return accepted
      },
      async bare() {
        poster.send(CALLS.post)
        await once(poster, 'message')
        return CALLS.post
      },
    },
  }
}

function bearing(token: string) {
  return { authorization: `Bearer ${token}` }
}

function moveOf(id: string, token: string): autocannon.Request {
  return {
    method: 'POST',
    path: `/v1/riders/${id}/location`,
    headers: { ...bearing(token), 'content-type': 'application/json' },
    setupRequest: (request) => ({ ...request, body: JSON.stringify(somewhere()) }),
  }
}

async function load(url: string, calls: number, requests: autocannon.Request[]): Promise<number> {
  const result = await autocannon({ url, connections: CLIENTS, amount: calls, requests })
  if (result.non2xx + result.errors > 0) throw new Error(`${url}: calls were refused; the run says nothing`)
  return result['2xx']
}

/** Riders of a fleet, each with the token that its merchant's key minted. */
async function ridersWithTokens(): Promise<Array<{ id: string; token: string }>> {
  const merchant = await signUp(system.baseUrl)
  await approve(system, merchant)
  const key = await merchant.owner.post('/v1/me/api-keys', { is_test: false, scopes: ['orders:write'] })
  const api = new Api(system.baseUrl).bearing(answered(201, key).body.api_key)
  const worker = new pg.Pool({ connectionString: system.databaseUrls['dispatch']?.worker, max: 1 })
  const ids = await addRiders(worker, RIDERS, merchant.merchantId)
  await worker.end()
  const minted: Array<{ id: string; token: string }> = []
  for (const id of ids) {
    const { body } = answered(200, await api.post('/v1/auth/rider/token', { rider_id: id }))
    minted.push({ id, token: body.access_token })
  }
  return minted
}

/** A receiver of webhooks that counts. */
async function startSink() {
  let received = 0
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      received++
      response.end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  return {
    url: `http://127.0.0.1:${port}/hooks`,
    received: () => received,
    stop() {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** What each process uses in a millisecond in which nobody asks for anything. */
async function idlePerMs(): Promise<CpuMs> {
  const [before, startedAt] = [cpuMs(system, further), performance.now()]
  await wait(IDLE_MS)
  const elapsed = performance.now() - startedAt
  return Object.fromEntries(
    Object.entries(cpuMs(system, further)).map(([name, ms]) => [name, (ms - (before[name] ?? 0)) / elapsed]),
  )
}

/** Milliseconds of CPU an operation, in these processes. */
async function costOf(turn: Turn, of: readonly string[], idle: CpuMs): Promise<number> {
  const [before, startedAt] = [cpuMs(system, further), performance.now()]
  const operations = await turn()
  const elapsed = performance.now() - startedAt
  const after = cpuMs(system, further)
  const used = (name: string) => (after[name] ?? 0) - (before[name] ?? 0) - (idle[name] ?? 0) * elapsed
  return of.reduce((sum, name) => sum + used(name), 0) / operations
}

async function figureOf({ mesh, bare, of, bareOf }: Path, idle: CpuMs): Promise<Figure> {
  const ofMesh = of ?? Object.keys(idle).filter((process) => !(process in further) && process !== 'load')
  const costs: Figure[] = []
  for (let round = 0; round < rounds; round++) {
    const cost = {
      mesh: await costOf(mesh, ofMesh, idle),
      bare: await costOf(bare, bareOf ?? ['baseline', 'postgres'], idle),
    }
    costs.push({ ...cost, ratio: cost.mesh / cost.bare })
  }
  const middle = (side: keyof Figure) => {
    const sorted = costs.map((cost) => cost[side]).toSorted((a, b) => a - b)
    return (sorted[Math.floor((rounds - 1) / 2)]! + sorted[Math.ceil((rounds - 1) / 2)]!) / 2
  }
  return { mesh: middle('mesh'), bare: middle('bare'), ratio: rounded(middle('ratio'), 2) }
}

function isWorse(name: string, { ratio }: Figure): boolean {
  return !(ratio <= TOLERANCE * committed[name]!)
}

function report(figures: Record<string, Figure>): void {
  if (isWriting) {
    for (const [name, { ratio }] of Object.entries(figures)) committed[name] = ratio
    writeFileSync(FIGURES, `${JSON.stringify(committed, null, 2)}\n`)
  }
  const worse = Object.entries(figures).filter(([name, figure]) => isWorse(name, figure))
  const micros = (ms: number) => rounded(ms * 1_000)
  const rows = Object.entries(figures).map(([name, { mesh, bare, ratio }]) => [
    name,
    micros(mesh),
    micros(bare),
    ratio,
    committed[name] ?? 'none',
  ])
  console.log(platform())
  console.log(table(['path', 'µs of CPU', 'bare µs', 'ratio', 'committed'], rows))
  for (const [name, { ratio }] of worse)
    console.log(`${name}: ${ratio} is more than ${TOLERANCE} times ${committed[name]}, ${AGAIN + 1} times measured`)
  process.exitCode = worse.length > 0 ? 1 : 0
}
