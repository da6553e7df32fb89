import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import { verifyWebhook } from '@delivery-dispatch/sdk'
import { eventually, mesh } from '@svc/testing'
import pg from 'pg'
import { guardedBrokers } from '../../libs/kafka/test/guarded-brokers.ts'
import { percentile, platform, rounded, table } from '../bench/report.ts'
import { countingReceiver } from '../chaos/receiver.ts'
import { Api, answered, signUp } from '../journeys/merchant.ts'
import { balancer } from './balancer.ts'
import { meshCertificates, SERVICES } from './mesh-certificates.ts'
import { replace, servingUrl } from './replace.ts'
import type { Rotating, Rotation } from './rotation.ts'
import { ROTATIONS } from './rotations/index.ts'
import { serverCertificates } from './server-certificates.ts'
import { environmentOf } from './stage.ts'
import { steadyLoad } from './steady-load.ts'

/**
 * Replaces the secrets of a mesh with two replicas of everything, as docs/deploy/keys.md has it, one replica after the other
 * or the first of all and then the second of all, while clients that ask nothing twice place orders and read them and a
 * receiver checks the signature of each event. What the page says must hold at each step, and after the last one the old
 * secret must be good for nothing. Ends with 1 where something is not so, a request fails or an event is missing.
 *
 *   node --conditions=source tests/rehearsals/keys.ts [rotation]...
 */
const RATE = { ordersPerSecond: 2, readsPerSecond: 4 }
const DRAIN_DELAY_MS = 1_500
const MIN_READY_MS = 1_500
/** As deploy/kubernetes has it: by then all callers of a replica are connected, and the other one may go. */
const MIN_READY_TOGETHER_MS = 5_000
const QUIET_MS = 5_000
const root = resolve(import.meta.dirname, '../..')
const run = promisify(execFile)

const chosen = process.argv.slice(2)
const rotations = ROTATIONS.filter(({ name }) => chosen.length === 0 || chosen.includes(name))
if (rotations.length < chosen.length) throw new Error(`there are ${ROTATIONS.map(({ name }) => name).join(', ')}`)

const certificates = meshCertificates()
const servers = await serverCertificates()
const kafka = await guardedBrokers(root, SERVICES)
await kafka.show(servers.of())
for (const service of SERVICES) await kafka.allowService(service, service)
const system = await mesh({
  ownServers: true,
  spans: false,
  replicas: 2,
  environment: (process) => ({
    ...certificates.environmentOf(process),
    KAFKA_BROKERS: kafka.as(process).join(),
    // The broker has no other mesh, and rights are given by the names of topics.
    TOPIC_PREFIX: '',
    NODE_EXTRA_CA_CERTS: servers.trusted,
    DRAIN_DELAY_MS: String(DRAIN_DELAY_MS),
    RATE_TEST_KEY_PER_MINUTE: '1000000',
    RATE_USER_PER_MINUTE: '1000000',
    RATE_LOGIN_PER_MINUTE: '1000000',
    RATE_LOGIN_PER_HOUR: '1000000',
    RATE_REFRESH_PER_MINUTE: '1000000',
    RATE_ADMIN_TOKEN_PER_MINUTE: '1000000',
    RATE_SIGN_ON_PER_MINUTE: '1000000',
    RATE_PASSWORD_RESET_PER_HOUR: '1000000',
    RATE_PASSWORD_RESET_EMAIL_PER_HOUR: '1000000',
    RATE_RIDER_OTP_PER_HOUR: '1000000',
    RATE_RIDER_OTP_PHONE_PER_HOUR: '1000000',
    OTP_COOLDOWN_SECONDS: '0',
  }),
})
const front = await balancer(
  ['gateway', 'gateway-2'].map((name, index) => ({
    url: system.baseUrls[index] as string,
    servingUrl: servingUrl(system, name),
  })),
)
const anyone = new Api(front.url)
const merchant = await signUp(front.url)
const secret = randomBytes(24).toString('hex')
const unsigned: string[] = []
const receiver = await countingReceiver((body, headers) => {
  verifyWebhook(body, headers, { secret }).catch((error: Error) => unsigned.push(error.message))
})
const settings = { url: receiver.url, secret, enabled: true, signature_version: 'v2' }
answered(200, await merchant.test.patch('/v1/me/outbound-webhook', settings))
const load = steadyLoad(front.url, merchant.test.headers, RATE)
const rows: Array<Array<string | number>> = []
const wrong: string[] = []
try {
  await during('nothing', () => wait(QUIET_MS))
  for (const rotation of rotations) await tried(rotation)
  await load.stop()
  const missing = await missingEvents(load.orderIds)
  console.log(platform())
  console.log(table(['rotation', 'seconds', 'replaced', 'requests', 'failed', 'p99 ms', 'longest ms'], rows))
  console.log(
    `${load.orderIds.length} orders were accepted; of ${missing} no event arrived, ${unsigned.length} events bore no good signature`,
  )
  for (const line of [...wrong, ...new Set(unsigned)]) console.error(line)
  const isFailed = rows.some(([, , , , failed]) => failed !== 0)
  process.exitCode = isFailed || wrong.length + missing + unsigned.length > 0 ? 1 : 0
} finally {
  await load.stop()
  await front.stop()
  await system.stop()
  await kafka.stop()
  receiver.close()
  certificates.remove()
  servers.remove()
}
process.exit()

async function tried({ name, rotate }: Rotation): Promise<void> {
  const streams: Array<ReturnType<typeof streamOf>> = []
  const endStreams = async () => void (await Promise.all(streams.splice(0).map((one) => one.stop())))
  const rotating: Rotating = {
    system,
    baseUrl: front.url,
    anyone,
    merchant,
    certificates,
    servers,
    kafka,
    logIn,
    told: (process, variable) => environmentOf(system, process)[variable] ?? '',
    tell,
    async roll(processes, environment) {
      console.log(`${clock()}   ${processes.join(', ')}: ${Object.keys(environment).join(', ') || 'as they are told'}`)
      for (const process of processes) tell(process, environment)
      for (const replica of processes.flatMap((one) => [one, `${one}-2`])) {
        await replace(system, replica, MIN_READY_MS)
        replaced++
      }
    },
    async rollTogether(processes) {
      for (const suffix of ['', '-2']) {
        console.log(`${clock()}   ${processes.map((one) => one + suffix).join(', ')}`)
        await Promise.all(processes.map((one) => replace(system, one + suffix, MIN_READY_TOGETHER_MS)))
        replaced += processes.length
      }
    },
    sql,
    async command(service, command, environment = {}) {
      const env = { ...environmentOf(system, service), ...environment, NODE_OPTIONS: '' }
      const file = `services/${service}/src/commands/${command}.ts`
      const { stdout } = await run(process.execPath, ['--conditions=source', file], { cwd: root, env })
      return stdout
    },
    stream: (what, everyMs, ask) => void streams.push(streamOf(what, everyMs, ask)),
    endStreams,
  }
  let replaced = 0
  console.log(`${clock()} ${name}`)
  const work = async () => {
    try {
      await rotate(rotating)
      await wait(QUIET_MS)
    } catch (error) {
      wrong.push(`${name}: ${(error as Error).stack}`)
    }
    await endStreams()
  }
  await during(name, work, () => replaced)
}

function tell(process: string, environment: Readonly<Record<string, string>>): void {
  for (const replica of [process, `${process}-2`]) system.tell(replica, environment)
}

async function logIn(): Promise<{ access_token: string; refresh_token: string }> {
  const { email, password } = merchant
  return answered(200, await anyone.post('/v1/public/login', { email, password })).body
}

/** Calls that are counted among those of the load. */
function streamOf(what: string, everyMs: number, ask: () => Promise<unknown>) {
  const stopping = new AbortController()
  const asking = (async () => {
    while (!stopping.signal.aborted) {
      const at = performance.now()
      const failure = await ask().then(
        () => undefined,
        (error: Error) => error.message,
      )
      load.asked.push({ what, at, ms: performance.now() - at, ...(failure !== undefined && { failure }) })
      await wait(everyMs, undefined, { signal: stopping.signal }).catch(() => {})
    }
  })()
  return {
    async stop(): Promise<void> {
      stopping.abort()
      await asking
    },
  }
}

async function during(what: string, work: () => Promise<unknown>, replaced = () => 0): Promise<void> {
  const from = performance.now()
  await work()
  const asked = load.asked.filter(({ at }) => at >= from)
  const failed = asked.filter(({ failure }) => failure !== undefined)
  for (const { what: call, failure } of failed.slice(0, 5)) console.error(`  a ${call} failed: ${failure}`)
  const ms = asked.map((one) => one.ms)
  const seconds = rounded((performance.now() - from) / 1_000, 0)
  const shown = [rounded(percentile(ms, 0.99)), rounded(Math.max(...ms))]
  rows.push([what, seconds, replaced(), asked.length, failed.length, ...shown])
  console.log(`${clock()} ${rows.at(-1)?.join('  ')}`)
}

async function sql<Row extends object>(service: string, text: string, values: unknown[] = []): Promise<Row[]> {
  const url = new URL(system.databaseUrls[service]!.owner)
  url.username = 'postgres'
  url.password = 'test'
  const client = new pg.Client({ connectionString: url.href })
  await client.connect()
  try {
    return (await client.query<Row>(text, values)).rows
  } finally {
    await client.end()
  }
}

/** How many orders' first event never comes. */
async function missingEvents(orderIds: readonly string[]): Promise<number> {
  const left = () => orderIds.filter((id) => !receiver.of(id).some(({ event }) => event === 'order.created')).length
  await eventually(() => left() === 0, { timeoutMs: 60_000 }).catch(() => {})
  return left()
}

function clock(): string {
  return new Date().toISOString().slice(11, 19)
}
