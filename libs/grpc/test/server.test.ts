import { once } from 'node:events'
import { status as codes, credentials, loadPackageDefinition } from '@grpc/grpc-js'
import { beforeAll, describe, expect, test } from '@jest/globals'
import { HealthClient, HealthCheckResponse_ServingStatus as Status } from '@svc/contracts/health'
import { OrderServiceService } from '@svc/contracts/order/v1/order_service'
import { grpcServer } from '@svc/grpc'
import { renderMetrics } from '@svc/telemetry'
import { callBy, merchant, orderHandlers, startOrderService, transports } from './order-service.ts'

function health(address: string): HealthClient {
  return new HealthClient(address, credentials.createInsecure())
}

async function statusOf(address: string, service = ''): Promise<number> {
  const client = health(address)
  return new Promise<number>((resolve, reject) => {
    client.check({ service }, (error, reply) => (error ? reject(error) : resolve(reply.status)))
  }).finally(() => client.close())
}

describe.each(transports)('over %s streams', (way) => {
  beforeAll(() => callBy(way))

  test('stopping lets a running call finish and refuses new ones', async () => {
    const entered = Promise.withResolvers<void>()
    const release = Promise.withResolvers<void>()
    const { orders, server, address } = await startOrderService({
      async getOrder() {
        entered.resolve()
        await release.promise
        return { order: undefined }
      },
    })
    const running = orders.as(merchant).getOrder({ id: 'o-1' })
    await entered.promise
    const stopping = server.stop?.()
    await expect(statusOf(address)).rejects.toThrow()
    release.resolve()
    await expect(running).resolves.toEqual({ order: undefined })
    await stopping
    orders.close()
  })

  test('a call that never ends is cut when the time to finish is over, and its caller is told that the effect is unknown', async () => {
    const entered = Promise.withResolvers<AbortSignal>()
    const { orders, server } = await startOrderService(
      {
        getOrder(_request, call) {
          entered.resolve(call.signal)
          return new Promise(() => {})
        },
      },
      { drainLimitMs: 100 },
    )
    const endless = orders.as(merchant, { deadlineMs: 60_000 }).getOrder({ id: 'o-1' })
    const failure = endless.catch((error: unknown) => error)
    const signal = await entered.promise
    await server.stop?.()
    expect(await failure).toMatchObject({ code: 'service_unavailable', applied: 'unknown' })
    expect(signal.aborted).toBe(true)
    orders.close()
  })

  test('a client keeps working through a restart of the server at the same address', async () => {
    const handlers = { getOrder: async () => ({ order: undefined }) }
    const first = await startOrderService(handlers)
    await first.orders.as(merchant).getOrder({ id: 'o-1' })
    await first.server.stop?.()
    const second = grpcServer({
      host: '127.0.0.1',
      port: Number(first.address.split(':')[1]),
      audience: 'order',
      secrets: { gateway: ['the secret of gateway and order, long enough'] },
      services: [[OrderServiceService, orderHandlers(handlers)]],
    })
    await second.start?.()
    const until = Date.now() + 10_000
    let reply: unknown
    while (reply === undefined && Date.now() < until) {
      reply = await first.orders
        .as(merchant)
        .getOrder({ id: 'o-1' })
        .catch(() => undefined)
    }
    expect(reply).toEqual({ order: undefined })
    first.orders.close()
    await second.stop?.()
  })
})

test('an orchestrator can ask for health without credentials', async () => {
  const { address, stop } = await startOrderService({})
  await expect(statusOf(address)).resolves.toBe(Status.SERVING)
  await expect(statusOf(address, 'svc.order.v1.OrderService')).rejects.toMatchObject({ code: codes.NOT_FOUND })
  await stop()
})

test('who watches what is not there is told so, and holds up no stop either', async () => {
  const { address, orders, server } = await startOrderService({}, { drainLimitMs: 60_000 })
  const client = health(address)
  const watching = client.watch({ service: 'nobody' })
  const [told] = await once(watching, 'data')
  expect(told).toEqual({ status: Status.SERVICE_UNKNOWN })
  const ended = once(watching, 'end')
  await server.stop?.()
  await ended
  client.close()
  orders.close()
})

test('who watches the health hears at once that the server serves, and that it stops, which waits for no watcher', async () => {
  const { address, orders, server } = await startOrderService({}, { drainLimitMs: 60_000 })
  const client = health(address)
  const watching = client.watch({ service: '' })
  const seen: number[] = []
  watching.on('data', ({ status }) => seen.push(status))
  await once(watching, 'data')
  expect(seen).toEqual([Status.SERVING])
  const ended = once(watching, 'end')
  await server.stop?.()
  await ended
  expect(seen).toEqual([Status.SERVING, Status.NOT_SERVING])
  client.close()
  orders.close()
})

test('a taken port fails the start instead of serving nothing', async () => {
  const { address, stop } = await startOrderService({})
  const second = grpcServer({
    host: '127.0.0.1',
    port: Number(address.split(':')[1]),
    audience: 'order',
    secrets: {},
    services: [],
  })
  await expect(second.start?.()).rejects.toThrow()
  await stop()
})

test('both sides count each call by its code and measure its duration', async () => {
  const { orders, stop } = await startOrderService({ getOrder: async () => ({ order: undefined }) })
  await orders.as(merchant).getOrder({ id: 'o-1' })
  await orders
    .as(merchant)
    .cancelOrder({ id: 'o-1', reason: 'x' })
    .catch(() => {})
  const text = await renderMetrics()
  expect(text).toMatch(/rpc_server_calls_total{rpc="svc.order.v1.OrderService\/GetOrder",code="ok"} \d/)
  expect(text).toMatch(/rpc_server_calls_total{rpc="svc.order.v1.OrderService\/CancelOrder",code="internal_error"} \d/)
  expect(text).toMatch(/rpc_client_calls_total{rpc="svc.order.v1.OrderService\/GetOrder",to="order",code="ok"} \d/)
  await stop()
})

async function reflectedServices(address: string): Promise<string[]> {
  const { load } = await import('@grpc/proto-loader')
  const protoPath = new URL(import.meta.resolve('@grpc/reflection/build/proto/grpc/reflection/v1/reflection.proto'))
  const loaded = loadPackageDefinition(await load(protoPath.pathname)) as any
  const client = new loaded.grpc.reflection.v1.ServerReflection(address, credentials.createInsecure())
  return new Promise<string[]>((resolve, reject) => {
    const stream = client.ServerReflectionInfo()
    stream.on('data', (reply: any) => {
      resolve(reply.listServicesResponse.service.map((each: { name: string }) => each.name))
      stream.end()
    })
    stream.on('error', reject)
    stream.write({ listServices: '' })
  }).finally(() => client.close())
}

test('tools can list the services where reflection is on, and nowhere else', async () => {
  const open = await startOrderService({}, { reflection: true })
  const closed = await startOrderService({})
  await expect(reflectedServices(open.address)).resolves.toContain('svc.order.v1.OrderService')
  await expect(reflectedServices(closed.address)).rejects.toMatchObject({ code: 12 })
  await open.stop()
  await closed.stop()
})
