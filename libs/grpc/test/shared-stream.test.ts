import { Client, credentials } from '@grpc/grpc-js'
import { afterEach, expect, test } from '@jest/globals'
import {
  SharedStreamServiceService,
  type ShareStreamRequest,
  type ShareStreamResponse,
} from '@svc/contracts/common/v1/shared_stream_service'
import { callBy, merchant, type OrderHandlers, startOrderService } from './order-service.ts'

const closers: Array<() => Promise<void> | void> = []
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close()
})

callBy('shared')

async function start(own: Partial<OrderHandlers>) {
  const service = await startOrderService(own)
  closers.push(service.stop)
  return service
}

const echo: Partial<OrderHandlers> = {
  cancelOrder: async ({ id }) => ({ order: undefined, already_cancelled: id === 'yes' }),
}

test('a slow call holds up none of those that share its stream', async () => {
  const release = Promise.withResolvers<void>()
  const { orders } = await start({
    ...echo,
    getOrder: async () => {
      await release.promise
      return { order: undefined }
    },
  })
  const slow = orders.as(merchant).getOrder({ id: 'o-1' })
  const { already_cancelled } = await orders.as(merchant).cancelOrder({ id: 'yes', reason: 'x' })
  expect(already_cancelled).toBe(true)
  release.resolve()
  await expect(slow).resolves.toEqual({ order: undefined })
})

test('a thousand calls at once each get their own answer, errors among them', async () => {
  const { orders } = await start({
    cancelOrder: async ({ id }) => {
      if (Number(id) % 7 === 0) throw new Error('odd one out')
      return { order: undefined, already_cancelled: Number(id) % 2 === 0 }
    },
  })
  const answers = await Promise.allSettled(
    Array.from({ length: 1_000 }, (_, n) => orders.as(merchant).cancelOrder({ id: String(n), reason: 'x' })),
  )
  for (const [n, answer] of answers.entries()) {
    if (n % 7 === 0) expect(answer).toMatchObject({ status: 'rejected', reason: { code: 'internal_error' } })
    else expect(answer).toMatchObject({ status: 'fulfilled', value: { already_cancelled: n % 2 === 0 } })
  }
})

// Megabytes take long on a busy machine, and how long is not the question here.
const PATIENT = { deadlineMs: 60_000 }

test('requests up to the limit of a message arrive whole beside small ones', async () => {
  const { orders } = await start({
    cancelOrder: async ({ reason }) => ({ order: undefined, already_cancelled: reason.length === 1024 * 1024 }),
  })
  const sizes = [10, 60_000, 1024 * 1024, 60_000, 1024 * 1024]
  const replies = await Promise.all(
    sizes.map((size) => orders.as(merchant, PATIENT).cancelOrder({ id: 'o', reason: 'r'.repeat(size) })),
  )
  expect(replies.map(({ already_cancelled }) => already_cancelled)).toEqual([false, false, true, false, true])
})

test('a reply that no message can hold fails alone', async () => {
  const { orders } = await start({
    ...echo,
    listOrders: async () => ({ orders: [], total: 1, limit: 1, offset: 0, next_cursor: 'x'.repeat(33 * 1024 * 1024) }),
  })
  const [huge, small] = await Promise.allSettled([
    orders.as(merchant, PATIENT).listOrders({ limit: 1, offset: 0 }),
    orders.as(merchant, PATIENT).cancelOrder({ id: 'yes', reason: 'x' }),
  ])
  expect(huge).toMatchObject({ status: 'rejected', reason: { code: 'internal_error' } })
  expect(small).toMatchObject({ status: 'fulfilled', value: { already_cancelled: true } })
})

test('calls made while the server stops are answered or certainly not applied, and none hangs', async () => {
  let handled = 0
  const { orders, server } = await start({
    cancelOrder: async () => {
      handled += 1
      return { order: undefined, already_cancelled: false }
    },
  })
  await orders.as(merchant).cancelOrder({ id: 'first', reason: 'x' })
  const calls: Array<Promise<Array<PromiseSettledResult<unknown>>>> = []
  const stopping = server.stop?.()
  for (let n = 0; n < 50; n++) {
    calls.push(Promise.allSettled([orders.as(merchant, PATIENT).cancelOrder({ id: String(n), reason: 'x' })]))
    await new Promise(setImmediate)
  }
  const answers = (await Promise.all(calls)).flat()
  await stopping
  const answered = answers.filter(({ status }) => status === 'fulfilled').length
  expect(handled).toBe(answered + 1)
  for (const answer of answers) {
    if (answer.status === 'rejected')
      expect(answer.reason).toMatchObject({ code: 'service_unavailable', applied: 'no' })
  }
})

test('a call that times out while its server stops fails alone: those beside it on the stream are answered', async () => {
  const [begun, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let handled = 0
  const { orders, server } = await start({
    cancelOrder: async ({ id }) => {
      handled += 1
      if (handled === 2) begun.resolve()
      await release.promise
      return { order: undefined, already_cancelled: id === 'patient' }
    },
  })
  const late = orders.as(merchant, { deadlineMs: 2_000 }).cancelOrder({ id: 'late', reason: 'x' })
  const patient = orders.as(merchant, PATIENT).cancelOrder({ id: 'patient', reason: 'x' })
  await begun.promise
  const stopping = server.stop?.()
  await expect(late).rejects.toMatchObject({ code: 'service_unavailable', applied: 'unknown' })
  // What is written for the one that gave up has left by then.
  await new Promise(setImmediate)
  release.resolve()
  await expect(patient).resolves.toMatchObject({ already_cancelled: true })
  await stopping
})

/** A peer that speaks the stream by hand. */
function byHand(address: string) {
  const { shareStream } = SharedStreamServiceService
  const client = new Client(address, credentials.createInsecure())
  closers.push(() => client.close())
  const stream = client.makeBidiStreamRequest<ShareStreamRequest, ShareStreamResponse>(
    shareStream.path,
    shareStream.requestSerialize,
    shareStream.responseDeserialize,
  )
  const answers: ShareStreamResponse['answered'] = []
  const { promise, resolve } = Promise.withResolvers<void>()
  stream.on('data', (message: ShareStreamResponse) => answers.push(...message.answered))
  stream.on('end', resolve)
  stream.on('error', () => resolve())
  return { stream, answers, ended: promise }
}

test('unknown rpcs, bytes that are no message and forged callers are refused one by one', async () => {
  const { address } = await start(echo)
  const { stream, answers, ended } = byHand(address)
  const call = { request: Buffer.alloc(0), caller: 'gateway.e30.AAAA', timeout_ms: 1_000 }
  const path = '/svc.order.v1.OrderService/CancelOrder'
  stream.write({
    started: [
      { ...call, id: 1, path: '/svc.order.v1.OrderService/Nothing' },
      { ...call, id: 2, path, request: Buffer.from([0xff, 0xff, 0xff]) },
      { ...call, id: 3, path },
    ],
    cancelled: [],
  })
  stream.end()
  await ended
  const codes = answers.map(({ id, error }) => [id, (JSON.parse(error.toString()) as { code: string }).code])
  expect(codes.toSorted(([a], [b]) => Number(a) - Number(b))).toEqual([
    [1, 'internal_error'],
    [2, 'internal_error'],
    [3, 'internal_error'],
  ])
})
