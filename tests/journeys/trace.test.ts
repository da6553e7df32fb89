import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { eventually, type Receiver, receiver, sharedMesh } from '@svc/testing'
import { orderBody, signUp } from './merchant.ts'

interface Span {
  trace_id: string
  span_id: string
  parent_span_id?: string
  name: string
  scope: string
  service: string
}

const system = sharedMesh('journeys')
let target: Receiver

beforeAll(async () => {
  target = await receiver()
})

afterAll(async () => {
  await target?.close()
})

async function spansOf(traceId: string): Promise<Span[]> {
  const texts = await Promise.all(system.traceFiles().map((file) => readFile(file, 'utf8').catch(() => '')))
  const lines = texts.flatMap((text) => text.split('\n').slice(0, -1))
  return lines.map((line) => JSON.parse(line) as Span).filter((span) => span.trace_id === traceId)
}

test('one trace leads from the HTTP request through gRPC, SQL and Kafka to the outbound webhook POST', async () => {
  const { test: api } = await signUp(system.baseUrl)
  await api.patch('/v1/me/outbound-webhook', { url: target.url, enabled: true })
  const traceId = randomBytes(16).toString('hex')
  const traceparent = `00-${traceId}-${randomBytes(8).toString('hex')}-01`
  const created = await api.with({ traceparent }).post('/v1/orders', orderBody())
  expect(created.status).toBe(201)
  expect(created.headers.get('traceparent')).toContain(traceId)

  const [post] = await eventually(() => target.requests.length > 0 && target.requests)
  expect(post?.headers['traceparent']).toContain(traceId)

  const instrumentation = (library: string) => `@opentelemetry/instrumentation-${library}`
  const wanted = [
    `gateway ${instrumentation('http')}`,
    `gateway ${instrumentation('express')}`,
    `gateway ${instrumentation('ioredis')}`,
    'gateway @svc/grpc',
    'order @svc/grpc',
    `order ${instrumentation('pg')}`,
    'order @svc/kafka',
    'webhook @svc/kafka',
    `webhook ${instrumentation('undici')}`,
  ]
  const spans = await eventually(
    async () => {
      const found = await spansOf(traceId)
      const seen = new Set(found.map((span) => `${span.service} ${span.scope}`))
      return wanted.every((want) => seen.has(want)) && found
    },
    { timeoutMs: 60_000, intervalMs: 500, message: `a span of each of ${wanted.join(', ')}` },
  )
  const ids = new Set(spans.map((span) => span.span_id))
  const outbound = spans.find((span) => span.service === 'webhook' && span.scope.endsWith('undici'))
  expect(ids.has(outbound?.parent_span_id ?? '')).toBe(true)
})

test('a test delivery carries the trace of its request, and no empty tracestate', async () => {
  const { test: api } = await signUp(system.baseUrl)
  await api.patch('/v1/me/outbound-webhook', { url: target.url, enabled: true })
  target.requests.length = 0
  expect((await api.post('/v1/me/outbound-webhook/test', {})).status).toBe(200)
  const [{ headers } = { headers: {} }] = target.requests
  expect(headers).toHaveProperty('traceparent')
  expect(headers).not.toHaveProperty('tracestate')
})
