import { createHmac } from 'node:crypto'
import { Client, credentials, Metadata, type ServiceError as RpcError, status } from '@grpc/grpc-js'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { OrderServiceService } from '@svc/contracts/order/v1/order_service'
import { merchant, orderClient, SECRET, startOrderService } from './order-service.ts'

const PREVIOUS = 'the previous secret of gateway and order, long'
const ORDER_RPC = 'svc.order.v1.OrderService/GetOrder'

let service: Awaited<ReturnType<typeof startOrderService>>
let raw: Client
let handled = 0

beforeAll(async () => {
  const secrets = { gateway: [SECRET, PREVIOUS], webhook: ['the secret of webhook and order, long enough'] }
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

function signed(claims: object, { prefix = 'gateway', secret = SECRET } = {}): string {
  const body = `${prefix}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}`
  return `${body}.${createHmac('sha256', secret).update(body).digest('base64url')}`
}

const validClaims = () => ({
  iss: 'gateway',
  aud: 'order',
  rpc: ORDER_RPC,
  exp: Math.floor(Date.now() / 1000) + 30,
  caller: { kind: 'admin', is_test: null, scopes: [], actor: { type: 'admin', id: 'a' }, request_id: 'r' },
})

function call(caller: string | undefined, options: { deadline?: number } = { deadline: Date.now() + 5_000 }) {
  const metadata = new Metadata()
  if (caller !== undefined) metadata.set('svc-caller', caller)
  const { path, requestSerialize, responseDeserialize } = OrderServiceService.getOrder
  return new Promise<RpcError | null>((resolve) => {
    raw.makeUnaryRequest(path, requestSerialize, responseDeserialize, { id: 'o-1' }, metadata, options, resolve)
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
    ['after it expired', () => signed({ ...validClaims(), exp: Math.floor(Date.now() / 1000) - 6 })],
    [
      'with a lifetime longer than 30 seconds',
      () => signed({ ...validClaims(), exp: Math.floor(Date.now() / 1000) + 90 }),
    ],
    ['without an expiry', () => signed({ ...validClaims(), exp: undefined })],
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

describe('a call is let through', () => {
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
