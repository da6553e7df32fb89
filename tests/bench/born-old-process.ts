import { PerformanceObserver } from 'node:perf_hooks'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { CreateOrderResponse, GetOrderResponse, ListOrdersResponse } from '@svc/contracts/order/v1/order_service'
import { orderOf } from '@svc/public-bodies'
import { orderRowsOf } from '../../gateway/src/bodies/order.ts'
import { publicBody } from '../../gateway/src/http/public-body.ts'
import { routes } from '../../gateway/src/routes/index.ts'
import { orderBody } from '../journeys/merchant.ts'

/** One side of `born-old.ts`: tells its parent what each piece of work cost. */
const TIMES = 8_000
const ROUNDS = 3
/** So many requests are under way. */
const HELD = 50

const routeOf = (operation: string) => routes.find(({ operationId }) => operationId === operation)!
const [create, read, list] = ['createOrder', 'getOrder', 'listOrders'].map(routeOf) as [Route, Route, Route]
type Route = ReturnType<typeof routeOf>

const sent = orderBody()
const { raw_payload, standardized } = sent
const text = JSON.stringify(sent)
const order = {
  id: '0191e4a0-5c1e-4a7e-9f4b-2f6d0f1f9a11',
  merchant_id: '0191e4a0-5c1e-4a7e-9f4b-2f6d0f1f9a12',
  is_test: false,
  source: 'api',
  external_order_id: '0191e4a0-5c1e-4a7e-9f4b-2f6d0f1f9a13',
  status: 'pending',
  payment_verified: false,
  unified_json: JSON.stringify({
    schema_version: '1',
    status: 'pending',
    payment_verified: false,
    raw_payload,
    standardized,
  }),
  tracking_token: 'dGhpcyBpcyBhIHRva2Vu',
  created_at: '2026-11-21T10:15:30.000Z',
  updated_at: '2026-11-21T10:15:30.000Z',
  version: 1,
  assignment_version: 0,
}
const created = CreateOrderResponse.encode(CreateOrderResponse.fromPartial({ order })).finish()
const one = GetOrderResponse.encode(GetOrderResponse.fromPartial({ order })).finish()
const orders = Array.from({ length: 10 }, () => order)
const ten = ListOrdersResponse.encode(ListOrdersResponse.fromPartial({ orders, total: 10, limit: 10 })).finish()

const work: Record<string, () => unknown> = {
  'reading a creation': () => create.body!.parse(JSON.parse(text)),
  'answering a creation': () => {
    const { order: stored, idempotent, warnings } = CreateOrderResponse.decode(created)
    return JSON.stringify(publicBody(create, 201, { order: orderOf(stored), idempotent, warnings }))
  },
  'telling an order': () =>
    JSON.stringify(publicBody(read, 200, { order: orderOf(GetOrderResponse.decode(one).order) })),
  'telling a page of ten': () => {
    const page = ListOrdersResponse.decode(ten)
    return JSON.stringify(publicBody(list, 200, { ...page, orders: orderRowsOf(page.orders, {}) }))
  },
}

let collectingMs = 0
const collections = new PerformanceObserver((entries) => {
  for (const { duration } of entries.getEntries()) collectingMs += duration
})
collections.observe({ entryTypes: ['gc'] })

const costs: Record<string, number> = {}
const held: unknown[] = Array.from({ length: HELD })
const startedWith = process.cpuUsage()
for (let round = 0; round < ROUNDS; round++) {
  for (const [name, once] of Object.entries(work)) {
    const before = process.cpuUsage()
    for (let time = 0; time < TIMES; time++) held[time % HELD] = once()
    const { user, system } = process.cpuUsage(before)
    // Of the last round: V8 compiles in those before it.
    costs[name] = (user + system) / TIMES
    await nextTurn()
  }
}
const { user, system } = process.cpuUsage(startedWith)
costs['collecting garbage, per cent of all'] = (100_000 * collectingMs) / (user + system)
process.send!(costs)
process.disconnect()
