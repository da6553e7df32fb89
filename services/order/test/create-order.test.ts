import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { eventually, merchantCaller, onceAvailable } from '@svc/testing'
import pg from 'pg'
import { creation, keyed, type OrderMesh, orderMesh, standardized } from './order-mesh.ts'

let mesh: OrderMesh
beforeAll(async () => {
  mesh = await orderMesh()
})
afterAll(() => mesh.stop())

const times = (count: number) => Array.from({ length: count })

describe('a new order', () => {
  test('is stored as sent and normalised, pending, with a tracking link', async () => {
    const caller = merchantCaller()
    const request = creation(
      { raw_payload_json: '{"n":1.0,"big":12345678901234567890}' },
      { weight_kg: 30, mine: { a: [null] } },
    )
    const { order, idempotent, replayed } = await mesh.orders(caller).createOrder(request)
    expect({ idempotent, replayed }).toEqual({ idempotent: false, replayed: false })
    expect(order).toMatchObject({
      merchant_id: caller.merchantId,
      is_test: true,
      source: 'api',
      external_order_id: request.external_order_id,
      status: 'pending',
      payment_verified: false,
      vehicle_type_source: 'derived',
      version: 1,
    })
    expect(order?.tracking_token).toMatch(/^[A-Za-z0-9_-]{22}$/)
    expect(order?.customer_tracking_url).toBe(`https://track.example.com/t/${order?.tracking_token}`)
    expect(order?.unified_json).toContain('"raw_payload":{"n":1.0,"big":12345678901234567890}')
    expect(JSON.parse(order?.unified_json ?? '')).toMatchObject({
      schema_version: '1',
      status: 'pending',
      payment_verified: false,
      standardized: { customer_phone: '+2348031234567', vehicle_type_hint: 'car', mine: { a: [null] } },
    })
    const { order: read } = await mesh.orders(caller).getOrder({ id: order?.id ?? '' })
    expect(read).toEqual(order)
  })

  test('announces exactly one order.created, at the time of the order, in the transaction of the order', async () => {
    const { order } = await mesh.orders(merchantCaller()).createOrder(creation())
    const facts = await mesh.facts(order?.id ?? '')
    expect(facts.map(({ type, aggregate_version }) => [type, aggregate_version])).toEqual([['order.created', 1]])
    expect(facts[0]?.created_at.toISOString()).toBe(order?.created_at)
    const { created_at, updated_at, ...timeless } = order ?? {}
    expect(created_at).toBe(updated_at)
    expect(facts[0]?.fact).toMatchObject({ order: timeless, muted: false })
    expect(facts[0]?.fact.order?.created_at).toBeUndefined()
  })

  test('keeps the whole payload where its fact must cut it', async () => {
    const caller = merchantCaller()
    const request = creation({ raw_payload_json: JSON.stringify({ text: 'x'.repeat(300_000) }) })
    const { order } = await mesh.orders(caller).createOrder(keyed('big', request))
    const [created] = await mesh.facts(order?.id ?? '')
    expect(created?.payload.length).toBeLessThan(256 * 1024)
    expect(JSON.parse(created?.fact.order?.unified_json ?? '').raw_payload).toEqual({ truncated: true })
    const replay = await mesh.orders(caller).createOrder(keyed('big', request))
    expect(replay.order).toEqual(order)
  })
})

describe('the same (source, external_order_id) again', () => {
  test('answers the order that exists, whose state may have moved on', async () => {
    const caller = merchantCaller()
    const request = creation()
    const { order } = await mesh.orders(caller).createOrder(request)
    await mesh.orders(caller).updateOrder({ id: order?.id ?? '', status: 'accepted' })
    const again = await mesh.orders(caller).createOrder(request)
    expect(again).toMatchObject({ idempotent: true, replayed: false, order: { id: order?.id, status: 'accepted' } })
  })

  test('with different content is refused, naming what differs', async () => {
    const caller = merchantCaller()
    const request = creation()
    const { order } = await mesh.orders(caller).createOrder(request)
    const changed = {
      ...request,
      standardized_json: JSON.stringify({ ...JSON.parse(request.standardized_json), dropoff_address: 'Elsewhere 1' }),
    }
    await expect(mesh.orders(caller).createOrder(changed)).rejects.toMatchObject({
      code: 'duplicate_order',
      details: {
        order_id: order?.id,
        source: 'api',
        external_order_id: request.external_order_id,
        changed_fields: ['standardized.dropoff_address'],
      },
    })
  })

  test('is another order in another source, environment or tenant', async () => {
    const caller = merchantCaller()
    const live = { ...caller, isTest: false }
    const request = creation()
    const replies = await Promise.all([
      mesh.orders(caller).createOrder(request),
      mesh.orders(live).createOrder(request),
      mesh.orders(caller).createOrder({ ...request, source: 'shop' }),
      mesh.orders(merchantCaller()).createOrder(request),
    ])
    expect(new Set(replies.map(({ order }) => order?.id)).size).toBe(4)
  })

  test('sent by 50 twins at once makes one order and one order.created', async () => {
    const caller = merchantCaller()
    const request = creation()
    const replies = await Promise.all(
      times(50).map(() => onceAvailable(() => mesh.orders(caller).createOrder(request))),
    )
    expect(new Set(replies.map(({ order }) => order?.id)).size).toBe(1)
    expect(replies.filter(({ idempotent }) => !idempotent)).toHaveLength(1)
    expect(await mesh.facts(replies[0]?.order?.id ?? '')).toHaveLength(1)
    expect(await mesh.rows('SELECT id FROM orders WHERE merchant_id = $1', [caller.merchantId])).toHaveLength(1)
  })
})

describe('an idempotency key', () => {
  test('replays the first reply unchanged, whatever became of the order', async () => {
    const caller = merchantCaller()
    const request = keyed('k-1', creation())
    const first = await mesh.orders(caller).createOrder(request)
    await mesh.orders(caller).updateOrder({ id: first.order?.id ?? '', status: 'delivered' })
    const again = await mesh.orders(caller).createOrder(request)
    expect(again).toEqual({ ...first, replayed: true })
  })

  test('replays a 200 as a 200', async () => {
    const caller = merchantCaller()
    const request = creation()
    const first = await mesh.orders(caller).createOrder(request)
    const second = await mesh.orders(caller).createOrder(keyed('k-2', request))
    expect(second).toMatchObject({ idempotent: true, replayed: false, order: { id: first.order?.id } })
    await mesh.orders(caller).updateOrder({ id: first.order?.id ?? '', status: 'delivered' })
    expect(await mesh.orders(caller).createOrder(keyed('k-2', request))).toEqual({ ...second, replayed: true })
  })

  test('used with another body is refused and stores nothing', async () => {
    const caller = merchantCaller()
    await mesh.orders(caller).createOrder(keyed('k-3', creation()))
    await expect(mesh.orders(caller).createOrder(keyed('k-3', creation()))).rejects.toMatchObject({
      code: 'idempotency_conflict',
    })
    expect(await mesh.rows('SELECT id FROM orders WHERE merchant_id = $1', [caller.merchantId])).toHaveLength(1)
  })

  test('belongs to one tenant and one environment', async () => {
    const caller = merchantCaller()
    const request = keyed('k-4', creation())
    await mesh.orders(caller).createOrder(request)
    const others = [merchantCaller(), { ...caller, isTest: false }]
    for (const other of others) {
      expect(await mesh.orders(other).createOrder(request)).toMatchObject({ idempotent: false, replayed: false })
    }
  })

  test('sent by 50 twins at once makes one order, and every reply is the same', async () => {
    const caller = merchantCaller()
    const request = keyed('k-5', creation())
    const replies = await Promise.all(
      times(50).map(() => onceAvailable(() => mesh.orders(caller).createOrder(request))),
    )
    expect(replies.filter(({ replayed }) => !replayed)).toHaveLength(1)
    expect(new Set(replies.map(({ order }) => JSON.stringify(order))).size).toBe(1)
    expect(await mesh.facts(replies[0]?.order?.id ?? '')).toHaveLength(1)
  })

  test('whose first request is still running is refused for the moment, without waiting for ever', async () => {
    const caller = merchantCaller()
    const running = new pg.Client({ connectionString: mesh.database.url })
    await running.connect()
    try {
      await running.query('BEGIN')
      await running.query(`SELECT set_config('app.tenant_id', $1, true)`, [caller.merchantId])
      await running.query(
        `INSERT INTO idempotency (merchant_id, is_test, route, key, request_hash) VALUES ($1, true, 'createOrder', 'k-8', '')`,
        [caller.merchantId],
      )
      const request = keyed('k-8', creation())
      await expect(mesh.orders(caller).createOrder(request)).rejects.toMatchObject({
        code: 'idempotency_in_progress',
        retryAfterSeconds: 1,
      })
      await running.query('ROLLBACK')
      expect(await mesh.orders(caller).createOrder(request)).toMatchObject({ replayed: false })
    } finally {
      await running.end()
    }
  })

  test('whose first request is still running holds up nobody who comes with it', async () => {
    const caller = merchantCaller()
    const running = new pg.Client({ connectionString: mesh.database.url })
    await running.connect()
    try {
      await running.query('BEGIN')
      await running.query(`SELECT set_config('app.tenant_id', $1, true)`, [caller.merchantId])
      await running.query(
        `INSERT INTO idempotency (merchant_id, is_test, route, key, request_hash) VALUES ($1, true, 'createOrder', 'k-9', '')`,
        [caller.merchantId],
      )
      const create = (key: string) => mesh.orders(caller).createOrder(keyed(key, creation()))
      let round = 0
      // It is refused after a moment, before which a machine must be quick enough to answer the others.
      await eventually(async () => {
        round += 1
        let isSettled = false
        const others = times(40).map((_, n) => create(`k-9-${round}-${n}`))
        const stuck = create('k-9').finally(() => {
          isSettled = true
        })
        stuck.catch(() => {})
        const replies = await Promise.all([...others, ...times(40).map((_, n) => create(`k-9-${round}-${n + 40}`))])
        const wasHeldUp = isSettled
        expect(new Set(replies.map(({ order }) => order?.id)).size).toBe(80)
        await expect(stuck).rejects.toMatchObject({ code: 'idempotency_in_progress' })
        expect(wasHeldUp).toBe(false)
      })
    } finally {
      await running.end()
    }
  })

  test('of a refused request stays free: the corrected request is judged afresh', async () => {
    const caller = merchantCaller()
    const late = keyed('k-6', creation({}, { scheduled_pickup_at: '2020-01-01T00:00:00Z' }))
    await expect(mesh.orders(caller).createOrder(late)).rejects.toMatchObject({ code: 'invalid_pickup_time' })
    expect(await mesh.orders(caller).createOrder(keyed('k-6', creation()))).toMatchObject({ replayed: false })
  })

  test('of a natural key refused as duplicate stays free', async () => {
    const caller = merchantCaller()
    const request = creation()
    await mesh.orders(caller).createOrder(request)
    const changed = { ...request, raw_payload_json: '{"a":1}' }
    await expect(mesh.orders(caller).createOrder(keyed('k-7', changed))).rejects.toMatchObject({
      code: 'duplicate_order',
    })
    expect(await mesh.orders(caller).createOrder(keyed('k-7', creation()))).toMatchObject({
      replayed: false,
      idempotent: false,
    })
  })
})

describe('orders that come at the same time', () => {
  test('each get their own answer, in their own tenant, whatever became of the others', async () => {
    const callers = times(10).map(() => merchantCaller())
    const known = await Promise.all(
      callers.map(async (caller) => {
        const request = keyed('same', creation())
        return { caller, request, first: await mesh.orders(caller).createOrder(request) }
      }),
    )
    const outcomes = await Promise.all(
      known.map(async ({ caller, request, first }) => {
        const orders = mesh.orders(caller)
        const changed = { ...request, raw_payload_json: '{"a":1}', idempotency: undefined }
        const conflicting = keyed('same', creation())
        const [fresh, replay, duplicate, conflict] = await Promise.allSettled([
          orders.createOrder(creation()),
          orders.createOrder(request),
          orders.createOrder(changed),
          orders.createOrder(conflicting),
        ])
        expect(fresh).toMatchObject({ value: { idempotent: false, order: { merchant_id: caller.merchantId } } })
        expect(replay).toMatchObject({ value: { ...first, replayed: true } })
        expect(duplicate).toMatchObject({ reason: { code: 'duplicate_order', details: { order_id: first.order?.id } } })
        expect(conflict).toMatchObject({ reason: { code: 'idempotency_conflict' } })
        return mesh.rows('SELECT id FROM orders WHERE merchant_id = $1', [caller.merchantId])
      }),
    )
    expect(outcomes.map((rows) => rows.length)).toEqual(callers.map(() => 2))
  })
})

describe('refusals, in their order', () => {
  const past = { scheduled_pickup_at: '2020-01-01T00:00:00Z' }
  const blocked = { billingStatus: 'past_due', kybStatus: 'verified', businessApprovalStatus: 'approved' }
  const unknown = { billingStatus: 'past_due', kybStatus: 'pending_review', businessApprovalStatus: 'pending' }

  test('the clock of the database judges the pickup time, before the window', async () => {
    const { delivery_window_end } = standardized()
    const request = creation({}, { ...past, delivery_window_start: delivery_window_end, delivery_window_end })
    await expect(mesh.orders(merchantCaller()).createOrder(request)).rejects.toMatchObject({
      code: 'invalid_pickup_time',
      details: { field: 'standardized.scheduled_pickup_at', rule: 'in_future' },
    })
  })

  test('times come before the gates, verification before billing', async () => {
    const live = merchantCaller({ isTest: false, standing: unknown })
    await expect(mesh.orders(live).createOrder(creation({}, past))).rejects.toMatchObject({
      code: 'invalid_pickup_time',
    })
    await expect(mesh.orders(live).createOrder(creation())).rejects.toMatchObject({ code: 'kyb_required' })
    await expect(mesh.orders({ ...live, standing: blocked }).createOrder(creation())).rejects.toMatchObject({
      code: 'billing_blocked',
      details: { billing_status: 'past_due' },
    })
  })

  test("a live order takes a verified business, by a key as by the owner's log-in, unless the operator says otherwise", async () => {
    const standing = { ...unknown, billingStatus: 'active' }
    const key = merchantCaller({ isTest: false, standing })
    const user = randomUUID()
    const login = { ...key, actor: { type: 'merchant_user', id: user } as const, credential: `user:${user}` as const }
    for (const caller of [key, login])
      await expect(mesh.orders(caller).createOrder(creation())).rejects.toMatchObject({ code: 'kyb_required' })
  })

  test("an order's own commission is at most what the operator allows, and is never altered", async () => {
    const bounded = await orderMesh({ COMMISSION_MAX_MINOR: '5000' })
    try {
      const orders = bounded.orders(merchantCaller())
      const { order } = await orders.createOrder(creation({}, { delivery_commission_minor: 5_000 }))
      expect(JSON.parse(order?.unified_json ?? '')).toMatchObject({
        standardized: { delivery_commission_minor: 5_000 },
      })
      await expect(orders.createOrder(creation({}, { delivery_commission_minor: 5_001 }))).rejects.toMatchObject({
        code: 'validation_error',
        details: { field: 'standardized.delivery_commission_minor', limit: 5_000 },
      })
    } finally {
      await bounded.stop()
    }
  })

  test('test orders need no verification, and are not exempt from billing', async () => {
    const caller = merchantCaller({ standing: { ...unknown, billingStatus: 'active' } })
    expect((await mesh.orders(caller).createOrder(creation())).order?.is_test).toBe(true)
    await expect(mesh.orders({ ...caller, standing: unknown }).createOrder(creation())).rejects.toMatchObject({
      code: 'billing_blocked',
    })
  })

  test('a caller whose standing is not known passes no gate', async () => {
    await expect(mesh.orders(merchantCaller({ standing: undefined })).createOrder(creation())).rejects.toMatchObject({
      code: 'service_unavailable',
    })
  })

  test('a repeat is answered even when the pickup time has passed and the merchant is blocked', async () => {
    const caller = merchantCaller()
    const request = creation()
    const withKey = keyed('late', request)
    const first = await mesh.orders(caller).createOrder(withKey)
    const late = { ...caller, standing: blocked }
    await mesh.database.shiftClock(2 * 3_600_000)
    try {
      expect(await mesh.orders(caller).createOrder(withKey)).toMatchObject({
        replayed: true,
        order: { id: first.order?.id },
      })
      expect(await mesh.orders(caller).createOrder(request)).toMatchObject({
        idempotent: true,
        order: { id: first.order?.id },
      })
      expect(await mesh.orders(late).createOrder(request)).toMatchObject({
        idempotent: true,
        order: { id: first.order?.id },
      })
      await expect(
        mesh.orders(caller).createOrder({ ...request, external_order_id: randomUUID() }),
      ).rejects.toMatchObject({
        code: 'invalid_pickup_time',
        details: { rule: 'in_future' },
      })
    } finally {
      await mesh.database.shiftClock(0)
    }
  })

  test('a key is forgotten after a day, and can serve another request then', async () => {
    const caller = merchantCaller()
    const { scheduled_pickup_at, delivery_window_start, delivery_window_end, ...rest } = standardized()
    const inTwoDays = (time: string) => new Date(new Date(time).getTime() + 48 * 3_600_000).toISOString()
    const later = {
      ...rest,
      scheduled_pickup_at: inTwoDays(scheduled_pickup_at),
      delivery_window_start: inTwoDays(delivery_window_start),
      delivery_window_end: inTwoDays(delivery_window_end),
    }
    await mesh.orders(caller).createOrder(keyed('day', creation()))
    await mesh.database.shiftClock(25 * 3_600_000)
    try {
      expect(await mesh.orders(caller).createOrder(keyed('day', creation({}, later)))).toMatchObject({
        replayed: false,
      })
    } finally {
      await mesh.database.shiftClock(0)
    }
  })

  test.each([
    ['without the scope to write orders', { scopes: ['orders:read'] }],
    ['of a rider', { kind: 'rider' }],
    ['of an operator', { kind: 'admin' }],
    ['that leaves the environment open', { isTest: null }],
  ] as const)('a call %s is forbidden', async (_what, changes) => {
    await expect(mesh.orders(merchantCaller(changes)).createOrder(creation())).rejects.toMatchObject({
      code: 'forbidden',
    })
  })

  test('a bad field is named, and nothing is stored', async () => {
    const caller = merchantCaller()
    await expect(mesh.orders(caller).createOrder(creation({}, { customer_phone: '123' }))).rejects.toMatchObject({
      code: 'validation_error',
      details: { field: 'standardized.customer_phone' },
    })
    expect(await mesh.rows('SELECT id FROM orders WHERE merchant_id = $1', [caller.merchantId])).toHaveLength(0)
  })
})
