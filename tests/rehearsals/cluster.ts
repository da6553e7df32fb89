import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { join, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { type CreateOrderBody, DeliveryDispatch, type OrderEvent, verifyWebhook } from '@delivery-dispatch/sdk'
import { eventually } from '@svc/testing'
import { kubectlOf } from '../../deploy/cluster/src/kubectl.ts'
import { percentile, rounded } from '../bench/report.ts'
import { orderBody } from '../journeys/merchant.ts'
import { addReplica, computing, kill, NAMESPACE, replaceCallerSecret, roll } from './pods.ts'
import { steadyLoad } from './steady-load.ts'

/**
 * Rolls the mesh out on the cluster of KUBECONFIG; has a merchant order through the Service of the gateway; then, while others
 * order and read at a steady rate and ask nothing twice, ends a pod of each process without a word, one by one, on a node that
 * is short of CPU, and all at once, as a zone that is lost does; rolls each Deployment, adds a replica and replaces a secret.
 * Every event of every order must come to a pod, signed, and what does not kill must fail no request. Ends with 1 where
 * something is not so.
 *
 *   npm run test:cluster
 *
 * Where Services' addresses cannot be reached from here, GATEWAY_URL leads to the gateway.
 */
/** As docs/deploy/upgrade.md has it. */
const PROCESSES = ['admin', 'wallet', 'dispatch', 'webhook', 'order', 'ingestion', 'gateway']
const RATE = { ordersPerSecond: 1, readsPerSecond: 2 }
const QUIET_MS = 10_000
const ARRIVED_WITHIN_MS = 120_000
const root = resolve(import.meta.dirname, '../..')
const began = performance.now()
const secondsSince = (since: number) => ((performance.now() - since) / 1_000).toFixed(1)
const tell = (what: string) => console.log(`${secondsSince(began)} s: ${what}`)
const kubectl = kubectlOf(['kubectl', `--namespace=${NAMESPACE}`])

await rollOut()
tell('every rollout is done')
const baseUrl = process.env['GATEWAY_URL'] ?? `http://${await serviceAddress('gateway')}`
const merchant = await signUp()
tell(`a first order was delivered: ${(await firstOrder()).join(', ')}`)
console.log(await memory())
const load = steadyLoad(baseUrl, { authorization: `Bearer ${merchant.key}` }, RATE)
await during('nothing', () => wait(QUIET_MS))
for (const name of PROCESSES) await during(`a pod of ${name} is killed`, () => kill([name]))
await during('a pod of admin is killed on a node that computes', () => computing(() => kill(['admin'])))
await during('a pod of each process is killed at once', () => kill(PROCESSES))
const killed = load.asked.length
for (const name of PROCESSES) await during(`${name} is rolled`, () => roll(name))
await during('order gets a replica more, which serves its share', () => addReplica('order'))
await during('the gateway signs for order with another secret', () => replaceCallerSecret('gateway', 'order'))
await load.stop()
console.log(await memory())
const failed = load.asked.slice(killed).filter(({ failure }) => failure !== undefined)
const missing = await missingEvents()
tell(`${load.asked.length} requests; ${failed.length} failed while nothing was killed; ${missing} events are missing`)
process.exitCode = failed.length === 0 && missing === 0 ? 0 : 1

async function rollOut(): Promise<void> {
  await kubectl('apply', '-f', join(root, 'deploy/kubernetes/base/namespace.yaml'))
  const makeSecrets = ['--conditions=source', join(root, 'deploy/kubernetes/src/make-secrets.ts'), 'dev']
  kubectl.given(execFileSync(process.execPath, makeSecrets, { encoding: 'utf8' }), 'create', '-f', '-')
  try {
    const script = join(root, 'deploy/kubernetes/rollout.sh')
    execFileSync(script, [join(root, 'deploy/cluster/mesh')], { stdio: ['ignore', 'ignore', 'inherit'] })
  } catch (error) {
    console.error(await kubectl('get', 'pods', '--output=wide'))
    console.error(await kubectl('get', 'events', '--field-selector=type=Warning'))
    throw error
  }
}

function serviceAddress(name: string): Promise<string> {
  return kubectl('get', 'service', name, '--output=jsonpath={.spec.clusterIP}')
}

async function signUp(): Promise<{ api: DeliveryDispatch; key: string; secret: string }> {
  const { api_key: key } = await new DeliveryDispatch({ baseUrl }).signUpMerchant({
    email: `owner-${randomUUID()}@example.com`,
    password: `correct horse ${randomUUID()}`,
    business_name: 'Cluster Kitchen',
    website: '',
  })
  const api = new DeliveryDispatch({ baseUrl, credential: key })
  const { secret } = await api.updateOutboundWebhook({ url: 'http://localhost:8090/hooks', enabled: true })
  if (!secret) throw new Error('no secret was told')
  return { api, key, secret }
}

/** Answers its events, each of which came to the receiver. */
async function firstOrder(): Promise<string[]> {
  const { order } = await merchant.api.createOrder(orderBody() as CreateOrderBody)
  for (const action of ['accept', 'pickup', 'deliver'] as const)
    await merchant.api.simulateRiderAction({ order_id: order.id, action })
  const told = await eventually(async () => {
    const { events } = await merchant.api.listEvents({ order_id: order.id })
    return events.some(({ event }) => event === 'order.delivered') && events
  })
  await eventually(async () => {
    const received = await receivedEvents()
    return told.every(({ event_id }) => received.has(event_id))
  })
  return told.map(({ event }) => event)
}

/** The ids of what was posted to the receiver; throws where a signature does not hold. */
async function receivedEvents(): Promise<Set<string>> {
  const path = `/api/v1/namespaces/${NAMESPACE}/services/receiver:http/proxy/`
  const posted = JSON.parse(await kubectl('get', '--raw', path)) as { headers: Record<string, string>; body: string }[]
  const { secret } = merchant
  const events = await Promise.all(
    posted.map(({ headers, body }) => verifyWebhook(Buffer.from(body, 'base64'), headers, { secret })),
  )
  return new Set(events.map(({ event_id }) => event_id))
}

/** Of the log of events, those that the receiver has not got when all should be there; an order without any is one, too. */
async function missingEvents(): Promise<number> {
  if (load.orderIds.length === 0) throw new Error('the load placed no order')
  const giveUpAt = performance.now() + ARRIVED_WITHIN_MS
  for (;;) {
    const missing = await notReceived()
    if (missing === 0 || performance.now() > giveUpAt) return missing
    await wait(2_000)
  }
}

async function notReceived(): Promise<number> {
  const received = await receivedEvents()
  const untold = new Set(load.orderIds)
  let missing = 0
  for await (const event of merchant.api.listEvents({ limit: 200 })) {
    if (event.event === 'order.created') untold.delete((event as OrderEvent).order.id)
    if (!received.has(event.event_id)) missing++
  }
  return missing + untold.size
}

/** Prints what the load met meanwhile, the seconds after the work included in which it settles. */
async function during(what: string, work: () => Promise<unknown>): Promise<void> {
  const from = performance.now()
  await work()
  const took = secondsSince(from)
  const asked = load.asked.filter(({ at }) => at >= from)
  const failures = asked.flatMap(({ failure }) => failure ?? [])
  const ms = asked.map((one) => one.ms)
  console.log(
    `${what}: ${took} s, ${asked.length} requests, ${failures.length} failed, p99 ${rounded(percentile(ms, 0.99))} ms`,
  )
  for (const failure of new Set(failures)) console.log(`  ${failure}`)
}

/** What each pod holds, as its kubelet says, which looks at them some seconds apart. */
async function memory(): Promise<string> {
  const node = await kubectl('get', 'nodes', '--output=jsonpath={.items[0].metadata.name}')
  const held = await eventually(
    async () => {
      const summary = JSON.parse(await kubectl('get', '--raw', `/api/v1/nodes/${node}/proxy/stats/summary`)) as {
        pods: { podRef: { name: string; namespace: string }; memory?: { workingSetBytes?: number } }[]
      }
      const ours = summary.pods.filter(({ podRef }) => podRef.namespace === NAMESPACE)
      const read = ours.map(({ podRef, memory }) => ({ name: podRef.name, bytes: memory?.workingSetBytes }))
      return read.every(({ bytes }) => bytes) && read
    },
    { intervalMs: 1_000 },
  )
  const inMiB = held.map(({ name, bytes = 0 }) => `${name} ${Math.round(bytes / 2 ** 20)}`)
  return `MiB held: ${inMiB.toSorted().join(', ')}`
}
