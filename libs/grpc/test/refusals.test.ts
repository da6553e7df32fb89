import { createHmac, hash } from 'node:crypto'
import { Client, credentials, Metadata, type ServiceError as RpcError, status } from '@grpc/grpc-js'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { OrderServiceService } from '@svc/contracts/order/v1/order_service'
import { renderMetrics } from '@svc/telemetry'
import { merchant, orderClient, SECRET, startOrderService } from './order-service.ts'

const PREVIOUS = 'the previous secret of gateway and order, long'
const WEBHOOK_SECRET = 'the secret of webhook and order, long enough'
const DISPATCH_SECRET = 'the secret of dispatch and order, long enough'
const ORDER_RPC = 'svc.order.v1.OrderService/GetOrder'

let service: Awaited<ReturnType<typeof startOrderService>>
let raw: Client
let handled = 0

beforeAll(async () => {
  const secrets = { gateway: [SECRET, PREVIOUS], webhook: [WEBHOOK_SECRET], dispatch: [DISPATCH_SECRET] }
  service = await startOrderService(
    {
      async getOrder() {
        handled += 1
        return { order: undefined }
      },
    },
    { secrets },
  )
  raw = new Client(service.address, credentials.createInsecure())
})
afterAll(async () => {
  raw.close()
  await service.stop()
})

const macOf = (text: string, secret: string) => createHmac('sha256', secret).update(text).digest('base64url')
const encoded = (claims: object) => Buffer.from(JSON.stringify(claims)).toString('base64url')

function signed(claims: object, { prefix = 'gateway', secret = SECRET } = {}): string {
  const body = `${prefix}.${encoded(claims)}`
  return `${body}.${macOf(body, secret)}`
}

const now = () => Math.floor(Date.now() / 1000)
const request = OrderServiceService.getOrder.requestSerialize({ id: 'o-1' })
const operator = { kind: 'admin', is_test: null, scopes: [], actor: { type: 'admin', id: 'a' }, request_id: 'r' }

const validClaims = (changes: object = {}) => ({
  iss: 'gateway',
  aud: 'order',
  rpc: ORDER_RPC,
  iat: now(),
  req: hash('sha256', request, 'base64url'),
  caller: operator,
  ...changes,
})

/** What webhook can sign: it holds its own secret alone. */
const byWebhook = (changes: object) =>
  signed(validClaims({ iss: 'webhook', ...changes }), { prefix: 'webhook', secret: WEBHOOK_SECRET })
const itself = (id: string) => ({ ...operator, kind: 'system', actor: { type: 'system', id } })

/** What the gateway signs of a call to dispatch for the case that dispatch passes it on to the order service. */
function passed(changes: object = {}, { secret = SECRET, audience = 'order', prefix = 'pass.' } = {}): string {
  const root = { aud: 'dispatch', rpc: 'svc.dispatch.v1.AssignmentService/AssignRider', req: 'of another request' }
  const body = `gateway.${encoded(validClaims({ ...root, ...changes }))}`
  return `${body}.${audience}.${macOf(prefix + body, secret)}`
}
const byDispatch = (pass: string, changes: object = {}) =>
  signed(validClaims({ iss: 'dispatch', caller: undefined, pass, ...changes }), {
    prefix: 'dispatch',
    secret: DISPATCH_SECRET,
  })

function call(
  caller: string | undefined,
  options: { deadline?: number } = { deadline: Date.now() + 5_000 },
  id = 'o-1',
) {
  const metadata = new Metadata()
  if (caller !== undefined) metadata.set('svc-caller', caller)
  const { path, requestSerialize, responseDeserialize } = OrderServiceService.getOrder
  return new Promise<RpcError | null>((resolve) => {
    raw.makeUnaryRequest(path, requestSerialize, responseDeserialize, { id }, metadata, options, resolve)
  })
}

describe('a call is refused before the handler runs', () => {
  const tampered = () => {
    const [issuer, claims, mac] = signed(validClaims()).split('.') as [string, string, string]
    const altered = JSON.parse(Buffer.from(claims, 'base64url').toString())
    altered.caller.actor.id = 'somebody else'
    return `${issuer}.${Buffer.from(JSON.stringify(altered)).toString('base64url')}.${mac}`
  }

  test.each<[string, () => string | undefined]>([
    ['without a caller', () => undefined],
    ['with an empty caller', () => ''],
    ['with text that is no caller', () => 'gateway'],
    ['with an empty signature', () => signed(validClaims()).replace(/[^.]*$/, '')],
    ['with a caller altered after signing', tampered],
    ['signed with a secret nobody has', () => signed(validClaims(), { secret: 'x'.repeat(40) })],
    ['from a process without a secret here', () => signed({ ...validClaims(), iss: 'admin' }, { prefix: 'admin' })],
    ['from a process named like a built-in', () => signed(validClaims(), { prefix: '__proto__' })],
    ['in the name of another process', () => signed({ ...validClaims(), iss: 'webhook' })],
    ['signed for another service', () => signed({ ...validClaims(), aud: 'admin' })],
    ['signed for another rpc', () => signed({ ...validClaims(), rpc: 'svc.order.v1.OrderService/CancelOrder' })],
    ['without a time', () => signed(validClaims({ iat: undefined }))],
    ['without a hash of the request', () => signed(validClaims({ req: undefined }))],
    ['by webhook as an operator', () => byWebhook({ caller: operator })],
    ['by webhook as dispatch', () => byWebhook({ caller: itself('dispatch') })],
    ['by webhook as the gateway itself', () => byWebhook({ caller: itself('gateway') })],
    ['by the gateway as dispatch', () => signed(validClaims({ caller: itself('dispatch') }))],
    ['without a caller in what was signed', () => signed(validClaims({ caller: undefined }))],
    ['by webhook with a pass of the gateway for dispatch', () => byWebhook({ caller: undefined, pass: passed() })],
    ['with a pass that another process has signed', () => byDispatch(passed({}, { secret: DISPATCH_SECRET }))],
    ['with a pass for another service', () => byDispatch(passed({}, { audience: 'wallet' }))],
    ['with a signature of a call in place of a pass', () => byDispatch(passed({}, { prefix: '' }))],
    ['with a pass of a call to another service', () => byDispatch(passed({ aud: 'wallet' }))],
    ['with a pass of an rpc that passes nobody on', () => byDispatch(passed({ rpc: ORDER_RPC, aud: 'order' }))],
    ['with a pass of the gateway itself', () => byDispatch(passed({ caller: itself('gateway') }))],
    ['with a pass in place of a call', () => passed()],
  ])('%s', async (_case, caller) => {
    const before = handled
    const error = await call(caller())
    expect(error?.code).toBe(status.UNAUTHENTICATED)
    expect(error?.details).toBe('internal_error')
    expect(handled).toBe(before)
  })

  test('without a deadline', async () => {
    const before = handled
    const error = await call(signed(validClaims()), {})
    expect(error?.code).toBe(status.UNAUTHENTICATED)
    expect(handled).toBe(before)
  })
})

test('what was signed for one request serves no other', async () => {
  const caller = signed(validClaims())
  expect(await call(caller)).toBeNull()
  const before = handled
  expect((await call(caller, { deadline: Date.now() + 5_000 }, 'o-2'))?.code).toBe(status.UNAUTHENTICATED)
  expect(handled).toBe(before)
})

describe('a clock', () => {
  test.each([240, -240])('that is %d s off refuses no call, of a person passed on neither', async (seconds) => {
    expect(await call(signed(validClaims({ iat: now() + seconds })))).toBeNull()
    expect(await call(byDispatch(passed({ iat: now() + seconds })))).toBeNull()
  })

  test.each([360, -360])('that is %d s off is unavailable, and nothing was done', async (seconds) => {
    const before = handled
    for (const caller of [
      signed(validClaims({ iat: now() + seconds })),
      byDispatch(passed({ iat: now() + seconds })),
    ]) {
      const error = await call(caller)
      expect(error?.code).toBe(status.UNAVAILABLE)
      expect(JSON.parse(String(error?.metadata.get('svc-error-bin')[0]))).toMatchObject({ applied: 'no' })
    }
    expect(handled).toBe(before)
    const skew = (await renderMetrics()).match(/rpc_clock_skew_seconds\{from="gateway"[^}]*\} (-?\d+)/)
    expect(Math.abs(Number(skew?.[1]))).toBeGreaterThan(300)
  })
})

describe('a call is let through', () => {
  test('as a process itself, and as a person whom the gateway lets another process pass on', async () => {
    const dispatch = { prefix: 'dispatch', secret: DISPATCH_SECRET }
    expect(await call(signed(validClaims({ iss: 'dispatch', caller: itself('dispatch') }), dispatch))).toBeNull()
    expect(await call(byDispatch(passed()))).toBeNull()
  })

  test('with the current and with the previous secret, so that a rotation loses no call', async () => {
    expect(await call(signed(validClaims()))).toBeNull()
    expect(await call(signed(validClaims(), { secret: PREVIOUS }))).toBeNull()
  })
})

test('a refused caller is our fault: the client sees internal_error, not unauthorized', async () => {
  const orders = orderClient(service.address, { secret: 'y'.repeat(40) })
  await expect(orders.as(merchant).getOrder({ id: 'o-1' })).rejects.toMatchObject({ code: 'internal_error' })
  orders.close()
})
