import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { AssignmentServiceService, CheckAssignableResponse } from '@svc/contracts/dispatch/v1/assignment_service'
import { OrderServiceService } from '@svc/contracts/order/v1/order_service'
import { type Call, type Caller, type Client, grpcClient, grpcServer, type Handlers, systemCaller } from '@svc/grpc'
import { merchant, orderHandlers } from './order-service.ts'

const secretOf = (from: string, to: string) => `the secret of ${from} and ${to}, which nobody else has`
const passSecrets = { dispatch: secretOf('gateway', 'dispatch'), order: secretOf('gateway', 'order') }

let seen: Caller | undefined
let altered = (caller: Caller): Caller => caller
const opened: Array<{ close(): void }> = []
const stopping: Array<() => unknown> = []
let assignments: Client<typeof AssignmentServiceService>

function link(from: string, to: string, address: string) {
  return { address, from, to, secret: secretOf(from, to), ...(from === 'gateway' && { passSecrets }) }
}

/** The gateway calls dispatch, which asks the order service about the order as whoever called. */
beforeAll(async () => {
  const order = grpcServer({
    host: '127.0.0.1',
    port: 0,
    audience: 'order',
    secrets: { gateway: [passSecrets.order], dispatch: [secretOf('dispatch', 'order')] },
    services: [
      [
        OrderServiceService,
        orderHandlers({
          getOrder: async (_request, { caller }) => {
            seen = caller
            return { order: undefined }
          },
        }),
      ],
    ],
  })
  await order.start?.()
  const orders = grpcClient(OrderServiceService, link('dispatch', 'order', order.address()))
  const askOrder = async (_request: unknown, call: Call) => {
    await orders.as(altered(call.caller), { within: call }).getOrder({ id: 'o-1' })
    return CheckAssignableResponse.fromPartial({}) as never
  }
  const names = Object.keys(AssignmentServiceService)
  const handlers = Object.fromEntries(names.map((name) => [name, askOrder]))
  const dispatch = grpcServer({
    host: '127.0.0.1',
    port: 0,
    audience: 'dispatch',
    secrets: { gateway: [passSecrets.dispatch] },
    services: [[AssignmentServiceService, handlers as unknown as Handlers<typeof AssignmentServiceService>]],
  })
  await dispatch.start?.()
  assignments = grpcClient(AssignmentServiceService, link('gateway', 'dispatch', dispatch.address()))
  opened.push(assignments, orders)
  stopping.push(
    () => dispatch.stop?.(),
    () => order.stop?.(),
  )
})
afterAll(async () => {
  for (const client of opened) client.close()
  for (const stop of stopping) await stop()
})

describe('a person whose call one service passes on to another', () => {
  test('arrives there as the gateway said, whatever the service in between would say', async () => {
    altered = (caller) => caller
    await assignments.as(merchant).assignRider({ order_id: 'o-1' })
    expect(seen).toEqual(merchant)
  })

  test('is nobody else: a caller that was changed on the way is not passed on', async () => {
    seen = undefined
    altered = (caller) => ({ ...caller, merchantId: '0197a5b0-0000-7000-8000-000000000002' })
    await expect(assignments.as(merchant).assignRider({ order_id: 'o-1' })).rejects.toMatchObject({
      code: 'internal_error',
    })
    expect(seen).toBeUndefined()
  })

  test('is passed on by the rpcs that are declared to do so, and by no other', async () => {
    seen = undefined
    altered = (caller) => caller
    await expect(assignments.as(merchant).checkAssignable({ rider_id: 'r' })).rejects.toMatchObject({
      code: 'internal_error',
    })
    expect(seen).toBeUndefined()
  })

  test('is not needed where a service speaks for itself', async () => {
    altered = () => systemCaller('dispatch', 'req-1')
    await assignments.as(merchant).checkAssignable({ rider_id: 'r' })
    expect(seen).toEqual(systemCaller('dispatch', 'req-1'))
  })
})
