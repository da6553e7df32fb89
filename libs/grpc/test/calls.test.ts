import { afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import { ServiceError, validationError } from '@svc/errors'
import { type Call, UnreachableError } from '@svc/grpc'
import { callBy, merchant, type OrderHandlers, orderClient, startOrderService, transports } from './order-service.ts'

const closers: Array<() => Promise<void> | void> = []
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close()
})

async function start(own: Partial<OrderHandlers>) {
  const service = await startOrderService(own)
  closers.push(service.stop)
  return service
}

const caught = async (work: Promise<unknown>) => {
  try {
    await work
  } catch (error) {
    return error as ServiceError & { applied?: string }
  }
  throw new Error('expected a failure')
}

describe.each(transports)('over %s streams', (way) => {
  beforeAll(() => callBy(way))

  describe('a call that succeeds', () => {
    test('the handler gets the request and the caller exactly as the gateway established them', async () => {
      let seen: Call | undefined
      const { orders } = await start({
        async cancelOrder(request, call) {
          seen = call
          return { order: undefined, already_cancelled: request.reason === 'no_supply' }
        },
      })
      const reply = await orders.as(merchant, { deadlineMs: 60_000 }).cancelOrder({ id: 'o-1', reason: 'no_supply' })
      expect(reply.already_cancelled).toBe(true)
      expect(seen?.caller).toEqual(merchant)
      expect(seen?.deadline.getTime()).toBeGreaterThan(Date.now())
      expect(seen?.deadline.getTime()).toBeLessThanOrEqual(Date.now() + 60_000)
    })

    test('a list reply of more than the default 4 MiB arrives whole', async () => {
      const order_id = 'x'.repeat(8 * 1024 * 1024)
      const { orders } = await start({
        listOrders: async () => ({ orders: [], total: 1, limit: 1, offset: 0, next_cursor: order_id }),
      })
      const reply = await orders.as(merchant, { deadlineMs: 60_000 }).listOrders({ limit: 1, offset: 0 })
      expect(reply.next_cursor).toHaveLength(order_id.length)
    })
  })

  describe('a call that fails', () => {
    test('a ServiceError arrives with its code, message, details and retryAfterSeconds', async () => {
      const { orders } = await start({
        async cancelOrder() {
          throw new ServiceError('rate_limited', { message: 'Slöw down', details: { limit: 60 }, retryAfterSeconds: 7 })
        },
      })
      const error = await caught(orders.as(merchant).cancelOrder({ id: 'o-1', reason: 'x' }))
      expect(error).toBeInstanceOf(ServiceError)
      expect(error).toMatchObject({
        code: 'rate_limited',
        message: 'Slöw down',
        details: { limit: 60 },
        retryAfterSeconds: 7,
      })
    })

    test('an error that is not ours arrives as internal_error without a word of it', async () => {
      const { orders } = await start({
        async cancelOrder() {
          throw new Error('password=hunter2 at 10.0.0.3')
        },
      })
      const error = await caught(orders.as(merchant).cancelOrder({ id: 'o-1', reason: 'x' }))
      expect(error.code).toBe('internal_error')
      expect(JSON.stringify([error.message, error.details, String(error.cause)])).not.toMatch(/hunter2|10\.0/)
    })

    test('details too large for a trailer are cut and the code still arrives', async () => {
      const faults = Array.from({ length: 100 }, (_, index) => ({
        field: `standardized.items[${index}].${'n'.repeat(300)}`,
        rule: 'required',
        message: 'is required',
      }))
      const { orders } = await start({
        async createOrder() {
          throw validationError(faults as [(typeof faults)[0], ...typeof faults])
        },
        async getOrder() {
          throw new ServiceError('cannot_cancel', { details: { blob: 'b'.repeat(100_000) } })
        },
      })
      const request = { source: '', external_order_id: '', raw_payload_json: '{}', standardized_json: '{}' }
      const many = await caught(orders.as(merchant).createOrder(request))
      expect(many.code).toBe('validation_error')
      expect(many.details).toMatchObject({ field: faults[0]?.field, truncated: true })
      expect(Object.keys(many.details?.['fields'] ?? {}).length).toBeGreaterThan(5)
      const blob = await caught(orders.as(merchant).getOrder({ id: 'o-1' }))
      expect({ code: blob.code, details: blob.details }).toEqual({
        code: 'cannot_cancel',
        details: { truncated: true },
      })
    })

    test('a request of more than 4 MiB never reaches the handler', async () => {
      let handled = false
      const { orders } = await start({
        async getOrder() {
          handled = true
          return { order: undefined }
        },
      })
      await expect(orders.as(merchant).getOrder({ id: 'x'.repeat(5 * 1024 * 1024) })).rejects.toBeInstanceOf(
        ServiceError,
      )
      expect(handled).toBe(false)
    })

    test('nobody listening is service_unavailable and certainly not applied', async () => {
      const { address, stop } = await startOrderService({})
      await stop()
      const orders = orderClient(address)
      closers.push(() => orders.close())
      const error = await caught(orders.as(merchant).cancelOrder({ id: 'o-1', reason: 'x' }))
      expect(error).toBeInstanceOf(UnreachableError)
      expect({ code: error.code, applied: error.applied, details: error.details }).toEqual({
        code: 'service_unavailable',
        applied: 'no',
        details: undefined,
      })
    })

    test('a deadline that passes is service_unavailable, perhaps applied, and aborts the signal of the handler', async () => {
      const aborted = Promise.withResolvers<void>()
      const { orders } = await start({
        async cancelOrder(_request, call) {
          await new Promise<void>((resolve) => call.signal.addEventListener('abort', () => resolve()))
          aborted.resolve()
          return { order: undefined, already_cancelled: false }
        },
      })
      const error = await caught(orders.as(merchant, { deadlineMs: 150 }).cancelOrder({ id: 'o-1', reason: 'x' }))
      expect({ code: error.code, applied: error.applied }).toEqual({ code: 'service_unavailable', applied: 'unknown' })
      await aborted.promise
    })

    test('an unreachable service behind the called one stays service_unavailable and keeps its uncertainty', async () => {
      const { orders } = await start({
        async cancelOrder() {
          throw new UnreachableError('unknown')
        },
      })
      const error = await caught(orders.as(merchant).cancelOrder({ id: 'o-1', reason: 'x' }))
      expect({ code: error.code, applied: error.applied }).toEqual({ code: 'service_unavailable', applied: 'unknown' })
    })
  })

  describe('a nested call', () => {
    test('gets no more time than the outer call has left', async () => {
      let nestedDeadline: Date | undefined
      const inner = await start({
        async getOrder(_request, call) {
          nestedDeadline = call.deadline
          return { order: undefined }
        },
      })
      const outer = await start({
        async getOrder(request, call) {
          return inner.orders.as(call.caller, { deadlineMs: 600_000, within: call }).getOrder(request)
        },
      })
      await outer.orders.as(merchant, { deadlineMs: 60_000 }).getOrder({ id: 'o-1' })
      expect(nestedDeadline?.getTime()).toBeLessThanOrEqual(Date.now() + 60_000)
    })

    test('is cancelled when the outer caller hangs up', async () => {
      const innerAborted = Promise.withResolvers<void>()
      const inner = await start({
        async getOrder(_request, call) {
          await new Promise<void>((resolve) => call.signal.addEventListener('abort', () => resolve()))
          innerAborted.resolve()
          return { order: undefined }
        },
      })
      const outer = await start({
        async getOrder(request, call) {
          return inner.orders.as(call.caller, { deadlineMs: 600_000, within: call }).getOrder(request)
        },
      })
      await caught(outer.orders.as(merchant, { deadlineMs: 200 }).getOrder({ id: 'o-1' }))
      await innerAborted.promise
    })

    test('is not sent at all when no time is left', async () => {
      const { orders } = await start({ getOrder: async () => ({ order: undefined }) })
      const within = { deadline: new Date(Date.now() - 1), signal: new AbortController().signal }
      const error = await caught(orders.as(merchant, { within }).getOrder({ id: 'o-1' }))
      expect(error.applied).toBe('no')
    })
  })
})
