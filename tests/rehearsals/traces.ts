import { join, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { claimFolder } from '@svc/servers'
import { eventually, mesh, receiver } from '@svc/testing'
import { type Api, answered, orderBody, type Reply, signUp } from '../journeys/merchant.ts'
import { type CollectedSpan, findCollector, startCollector } from './collector.ts'
import { findJaeger, type Jaeger, startJaeger } from './jaeger.ts'

/**
 * The spans of a mesh go to a real collector with the configuration of the repository, which keeps what failed and what took
 * long: an order whose webhook is answered late must be there as one tree, from its request to that webhook; one whose webhook
 * is refused as well; and of the rest nothing. What is kept is sent on to a real Jaeger, which must answer the same trees. Ends
 * with 1 where that is not so.
 *
 *   npm run test:traces
 */
const ORDERS = 3
const LATE_MS = 1_500
const SLOW_MS = 1_000
/** Some seconds, in which every process has sent its spans. */
const DECISION_WAIT = '10s'
const DECISION_WAIT_MS = 10_000

/** The steps of an order, from the last to the first, as a process and what makes its spans. */
const WAY = [
  'webhook undici',
  'webhook @svc/kafka',
  'order @svc/kafka',
  'order @svc/grpc',
  'gateway @svc/grpc',
  'gateway http',
]
const ALSO = ['gateway express', 'gateway ioredis', 'order pg', 'webhook pg']

const program = findCollector()
if (!program) {
  console.warn('NOT TESTED: traces in a collector. It takes Go on the PATH, and its proxy')
  process.exit(0)
}
const jaegerProgram = findJaeger()
if (!jaegerProgram) console.warn('NOT TESTED: what Jaeger answers. It takes Go on the PATH, and its proxy')
const root = resolve(import.meta.dirname, '../..')
const environment = { DECISION_WAIT, REST_PERCENT: '0' }
const folder = claimFolder(join(root, '.local/test'))
const jaeger = jaegerProgram && (await startJaeger({ program: jaegerProgram, folder: join(folder, 'jaeger') }))
const tracesEndpoint = jaeger ? jaeger.tracesEndpoint : undefined
const collector = await startCollector({ program, folder: join(folder, 'collector'), environment, tracesEndpoint })
const target = await receiver()
const system = await mesh({
  spans: false,
  environment: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint, OTEL_BSP_SCHEDULE_DELAY: '500' },
})
const problems: string[] = []

const traced = (traceId: string): CollectedSpan[] => collector.spans().filter((span) => span.traceId === traceId)
const stepOf = ({ service, scope }: CollectedSpan) => `${service} ${scope}`
const stepsOf = (spans: readonly CollectedSpan[]) => new Set(spans.map(stepOf))
const lengthOf = (spans: readonly CollectedSpan[]) =>
  Math.max(...spans.map(({ endMs }) => endMs)) - Math.min(...spans.map(({ startMs }) => startMs))

try {
  const { test: api } = await signUp(system.baseUrl)
  answered(200, await api.patch('/v1/me/outbound-webhook', { url: target.url, enabled: true }))
  const late = await orders(api, async () => {
    await wait(LATE_MS)
    return { status: 200 }
  })
  const refused = await orders(api, async () => ({ status: 500 }))
  const plain = await orders(api, async () => ({ status: 200 }))
  const reads = await Promise.all(Array.from({ length: ORDERS }, () => api.get('/v1/orders?limit=1')))
  const unknown = await Promise.all(
    Array.from({ length: ORDERS }, () => api.get('/v1/orders/0197a5b0-0000-7000-8000-000000000001')),
  )
  const rest = [...plain, ...reads.map(traceOf), ...unknown.map(traceOf)]

  await eventually(() => [...late, ...refused].every((id) => stepsOf(traced(id)).has(WAY[0] as string)), {
    timeoutMs: 60_000,
    intervalMs: 500,
  }).catch(() => {})
  // What is decided last was begun last.
  await wait(2 * DECISION_WAIT_MS)
  for (const id of late) problems.push(...notOneTree(traced(id)).map((problem) => `a late order: ${problem}`))
  for (const id of refused)
    if (!traced(id).some(({ isError }) => isError)) problems.push('a refused webhook was not kept')
  if (jaeger) for (const id of [...late, ...refused]) problems.push(...(await otherInJaeger(jaeger, id)))
  const kept = rest.filter((id) => traced(id).length > 0)
  const quick = kept.filter((id) => !traced(id).some(({ isError }) => isError) && lengthOf(traced(id)) < SLOW_MS)
  if (quick.length > 0) problems.push(`${quick.length} traces were kept that are neither slow nor failed`)
  if (kept.length === rest.length) problems.push('nothing was left out')
  console.log(
    `${late.length} late and ${refused.length} failed orders; of ${rest.length} other traces ${kept.length} were kept, for they took long here`,
  )
  print(traced(late[0] as string))
} finally {
  await system.stop()
  await collector.stop()
  if (jaeger) await jaeger.stop()
  await target.close()
}
for (const problem of problems) console.error(problem)
console.log(
  problems.length === 0 ? 'one tree each, and nothing kept that should not be' : `${problems.length} problems`,
)
process.exitCode = problems.length === 0 ? 0 : 1

/** Orders whose first webhook is answered like this; their traces. */
async function orders(merchant: Api, answer: () => Promise<{ status: number }>): Promise<string[]> {
  target.respond(answer)
  const traces: string[] = []
  for (let turn = 0; turn < ORDERS; turn++) {
    const seen = target.requests.length
    traces.push(traceOf(answered(201, await merchant.post('/v1/orders', orderBody()))))
    await eventually(() =>
      target.requests.slice(seen).some(({ headers }) => headers['traceparent']?.includes(traces.at(-1) as string)),
    )
  }
  return traces
}

function traceOf({ headers }: Reply): string {
  const [, id] = headers.get('traceparent')?.split('-') ?? []
  if (!id) throw new Error('a reply names no trace')
  return id
}

/** What keeps these spans from being one tree that leads from the webhook back to the request. */
function notOneTree(spans: readonly CollectedSpan[]): string[] {
  const byId = new Map(spans.map((span) => [span.spanId, span]))
  const roots = spans.filter(({ parentSpanId }) => !byId.has(parentSpanId))
  const found: string[] = []
  if (roots.length !== 1)
    found.push(`has ${roots.length} roots: ${roots.map((one) => `${stepOf(one)} ${one.name}`).join(', ')}`)
  const steps = stepsOf(spans)
  for (const step of [...WAY, ...ALSO]) if (!steps.has(step)) found.push(`has no span of ${step}`)
  const way: string[] = []
  for (let span = spans.find((one) => stepOf(one) === WAY[0]); span; span = byId.get(span.parentSpanId)) {
    if (way.at(-1) !== stepOf(span)) way.push(stepOf(span))
  }
  const passed = WAY.filter((step) => way.includes(step))
  if (passed.length < WAY.length) found.push(`its webhook leads back by ${way.join(' < ')} alone`)
  return found
}

/** What keeps Jaeger's answer from being the trace that was kept: its spans, their parents, the processes that made them. */
async function otherInJaeger(jaeger: Jaeger, traceId: string): Promise<string[]> {
  const edge = (spanId: string, parent: string, service: string) => `${service} ${spanId} below ${parent || 'none'}`
  let kept = new Set<string>()
  let answered = new Set<string>()
  const isAlike = async () => {
    answered = new Set((await jaeger.spans(traceId)).map((span) => edge(span.spanId, span.parentSpanId, span.service)))
    kept = new Set(traced(traceId).map((span) => edge(span.spanId, span.parentSpanId, span.service)))
    return kept.size === answered.size && [...kept].every((one) => answered.has(one))
  }
  // What a webhook's next attempt adds comes to both, one after the other.
  const alike = await eventually(isAlike, { timeoutMs: 20_000, intervalMs: 500 }).catch(() => false)
  if (!alike) return [`Jaeger answers ${answered.size} spans of trace ${traceId}, and ${kept.size} were kept`]
  console.log(`Jaeger answers trace ${traceId} as it was kept, ${answered.size} spans`)
  return []
}

/** The tree, spans of one kind below one parent in one line. */
function print(spans: readonly CollectedSpan[], parent?: string, depth = 0): void {
  const ids = new Set(spans.map(({ spanId }) => spanId))
  const below = spans.filter(({ parentSpanId }) =>
    parent === undefined ? !ids.has(parentSpanId) : parentSpanId === parent,
  )
  for (const [, same] of Map.groupBy(below, (span) => `${stepOf(span)}  ${span.name}`)) {
    const [first] = same as [CollectedSpan]
    const ms = same.map((span) => Math.round(span.endMs - span.startMs))
    console.log(
      `${'  '.repeat(depth)}${stepOf(first)}  ${first.name}${same.length > 1 ? ` ×${same.length}` : ''}  ${Math.max(...ms)} ms`,
    )
    for (const span of same) print(spans, span.spanId, depth + 1)
  }
}
