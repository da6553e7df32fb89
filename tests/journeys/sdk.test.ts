import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { type CreateOrderBody, DeliveryDispatch, verifyWebhook } from '@delivery-dispatch/sdk'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { eventually, type Receiver, receiver, sharedMesh } from '@svc/testing'
import fc from 'fast-check'
import { orderBody, type SignedUp, signUp } from './merchant.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const system = sharedMesh('journeys')

/** What may happen to one request on its way to the gateway, or to its answer. */
const FAULTS = [
  'refused for too many',
  'away',
  'lost',
  'answer lost',
  'answer cut short',
  'sent twice',
  'slow',
] as const
type Fault = (typeof FAULTS)[number]

let merchant: SignedUp
let proxy: Server
let coming: Fault[] = []
let dispatch: DeliveryDispatch
const keyOf = (one: SignedUp) => one.test.headers['authorization']!.slice('Bearer '.length)

beforeAll(async () => {
  merchant = await signUp(system.baseUrl)
  proxy = createServer((request, response) => void pass(request, response)).listen(0, '127.0.0.1')
  const pass = async (request: IncomingMessage, response: ServerResponse): Promise<unknown> => {
    const fault = coming.shift()
    const body = Buffer.concat(await request.toArray())
    const passOn = () =>
      fetch(`${system.baseUrl}${request.url}`, {
        method: request.method,
        headers: Object.entries(request.headers).filter(
          ([name]) => !/^(host|connection|content-length|transfer-encoding)$/.test(name),
        ) as [string, string][],
        body: body.length > 0 ? new Uint8Array(body) : undefined,
      })
    const refuse = (status: number, error: string) =>
      response
        .writeHead(status, { 'content-type': 'application/json', 'retry-after': '0' })
        .end(JSON.stringify({ error, message: 'A fault.', request_id: 'fault' }))
    if (fault === 'refused for too many') return refuse(429, 'rate_limited')
    if (fault === 'away') return refuse(503, 'service_unavailable')
    if (fault === 'lost') return response.destroy()
    const [answer] = await Promise.all(fault === 'sent twice' ? [passOn(), passOn()] : [passOn()])
    const text = await answer!.text()
    if (fault === 'answer lost') return response.destroy()
    if (fault === 'answer cut short') {
      response.writeHead(answer!.status, { 'content-length': text.length })
      return response.write(text.slice(0, 9), () => response.destroy())
    }
    // Never before its caller has given up: the answer comes to nobody.
    if (fault === 'slow') return once(response, 'close')
    response.writeHead(answer!.status, Object.fromEntries(answer!.headers)).end(text)
  }
  await once(proxy, 'listening')
  dispatch = new DeliveryDispatch({
    baseUrl: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    credential: keyOf(merchant),
    attemptTimeoutMs: 5_000,
    timeoutMs: 120_000,
  })
})
afterAll(() => {
  proxy?.closeAllConnections()
  proxy?.close()
})

describe('orders placed by the client', () => {
  test('are placed once, whatever befalls the requests and the answers', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom(...FAULTS), { minLength: 1, maxLength: 3 }), async (faults) => {
        const order = orderBody() as CreateOrderBody
        coming = [...faults]
        const placed = await dispatch.createOrder(order)
        coming = []
        const { orders } = await dispatch.listOrders({ external_order_id: order.external_order_id })
        expect(orders.map(({ id }) => id)).toEqual([placed.order.id])
      }),
      { numRuns: 10 },
    )
  })

  test('are seen on their way by a verified webhook and by the log of events alike', async () => {
    const other = await signUp(system.baseUrl)
    const client = new DeliveryDispatch({ baseUrl: system.baseUrl, credential: keyOf(other) })
    const endpoint: Receiver = await receiver()
    try {
      const { secret } = await client.updateOutboundWebhook({
        url: endpoint.url,
        enabled: true,
        signature_version: 'v2',
      })
      const { order } = await client.createOrder(orderBody() as CreateOrderBody)
      for (const action of ['accept', 'pickup', 'deliver'] as const)
        await client.simulateRiderAction({ order_id: order.id, action })
      const told = await eventually(() => endpoint.requests.length >= 7 && endpoint.requests)
      const events = await Promise.all(
        told.map(({ body, headers }) => verifyWebhook(body.toString(), headers, { secret: secret! })),
      )
      const enough = new AbortController()
      const followed: string[] = []
      for await (const { event } of client.events.follow({ signal: enough.signal, intervalMs: 200 })) {
        followed.push(event.event_id)
        if (followed.length === 7) enough.abort()
      }
      expect(new Set(events.map(({ event_id }) => event_id))).toEqual(new Set(followed))
      await expect(client.cancelOrder(order.id, { reason: 'merchant_requested' })).rejects.toMatchObject({
        code: 'cannot_cancel',
      })
    } finally {
      await endpoint.close()
    }
  })
})

test('the samples of the README run, one after the other, as a program', async () => {
  const readme = readFileSync(join(ROOT, 'sdk/typescript/README.md'), 'utf8')
  const blocks = [...readme.matchAll(/```ts\n([^]*?)```/g)].map(([, block]) => block!)
  const folder = join(ROOT, 'tests/.sample', randomUUID())
  mkdirSync(folder, { recursive: true })
  try {
    writeFileSync(join(folder, 'sample.ts'), blocks.join('\n'))
    const { stdout } = await promisify(execFile)('node', ['--conditions=source', join(folder, 'sample.ts')], {
      env: { ...process.env, NODE_OPTIONS: '', BASE_URL: system.baseUrl, API_KEY: keyOf(await signUp(system.baseUrl)) },
      timeout: 120_000,
    })
    expect(stdout).toMatch(/placed .*\nnow delivered\ndelivered so far 1\nweb-\d+\nrefused cannot_cancel/)
    expect(stdout).toMatch(/1 order\.created\n[^]*order\.delivered/)
  } finally {
    rmSync(folder, { recursive: true })
  }
})
