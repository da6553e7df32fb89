import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { AuditRecorded } from '@svc/contracts/common/v1/audit'
import type { Caller } from '@svc/grpc'
import { adminCaller, eventually, merchantCaller, onceAvailable, type Receiver, receiver } from '@svc/testing'
import { startWebhook, type TestWebhook } from './start-webhook.ts'

let service: TestWebhook
let target: Receiver
let caller: Caller & { merchantId: string }

beforeAll(async () => {
  service = await startWebhook()
})
afterAll(() => service?.stop())
beforeEach(async () => {
  target = await receiver()
  caller = merchantCaller() as typeof caller
  await service.patch(caller, { url: target.url, enabled: true })
})
afterEach(() => target?.close())

async function delivery(status: string) {
  return eventually(async () => {
    const { items } = await service.delivery.as(caller).listDeliveries({ limit: 0, offset: 0 })
    return items[0]?.status === status && items[0].attempts > 0 ? items[0] : false
  })
}

async function deadDelivery() {
  target.respond(() => ({ status: 410 }))
  await service.announce({ merchantId: caller.merchantId })
  const dead = await delivery('dead')
  target.respond(() => ({ status: 200 }))
  return dead
}

test('a delivery never counts other attempts than it shows', async () => {
  const orders = Array.from({ length: 40 }, () => ({ merchantId: caller.merchantId }))
  await service.announce(...orders)
  await eventually(async () => {
    const { items, total } = await service.delivery.as(caller).listDeliveries({ limit: 200, offset: 0 })
    expect(items.map(({ attempts_log }) => attempts_log.length)).toEqual(items.map(({ attempts }) => attempts))
    return total === orders.length && items.every(({ status }) => status === 'succeeded')
  })
})

describe('a retry by hand', () => {
  test('queues a dead delivery again with no attempts made, and leaves an audit row', async () => {
    const dead = await deadDelivery()
    const { delivery: requeued } = await service.delivery.as(caller).retryDelivery({ id: dead.id })
    expect(requeued).toMatchObject({ id: dead.id, status: 'pending', attempts: 0 })
    expect(await delivery('succeeded')).toMatchObject({ attempts: 1, event_id: dead.event_id })
    expect(target.requests[0]?.body).toEqual(target.requests[1]?.body)
    const [row] = await service.sql<{ payload: Buffer }>(
      `SELECT payload FROM outbox WHERE type = 'audit.recorded' AND merchant_id = $1 ORDER BY seq DESC LIMIT 1`,
      [caller.merchantId],
    )
    expect(AuditRecorded.decode(row?.payload ?? Buffer.alloc(0))).toMatchObject({
      action: 'outbound_webhook.delivery_retry',
      resource_id: dead.id,
      before_json: JSON.stringify({ status: 'dead', attempts: 1 }),
    })
  })

  test('fifty times at once calls the receiver once', async () => {
    const dead = await deadDelivery()
    let release = () => {}
    const gate = new Promise<void>((resolve) => {
      release = resolve
    })
    target.respond(async () => {
      await gate
      return { status: 200 }
    })
    const retried = () => service.delivery.as(caller).retryDelivery({ id: dead.id })
    await Promise.all(Array.from({ length: 50 }, () => onceAvailable(retried)))
    release()
    await delivery('succeeded')
    expect(target.requests).toHaveLength(2)
    await expect(service.delivery.as(caller).retryDelivery({ id: dead.id })).rejects.toMatchObject({
      code: 'delivery_already_succeeded',
    })
  })

  test('during the last attempt starts the count anew instead of ending dead', async () => {
    target.respond(() => ({ status: 500 }))
    await service.announce({ merchantId: caller.merchantId })
    const { id } = await delivery('pending')
    let answer = () => {}
    target.respond(
      () =>
        new Promise((resolve) => {
          answer = () => resolve({ status: 500 })
        }),
    )
    await service.sql('UPDATE delivery SET attempts = 4 WHERE id = $1', [id])
    await service.sql('UPDATE queued_delivery SET claimable_at = app_now() WHERE delivery_id = $1', [id])
    await service.sql('UPDATE lane SET due_at = app_now() WHERE merchant_id = $1', [caller.merchantId])
    await eventually(() => target.requests.length === 2)
    await service.delivery.as(caller).retryDelivery({ id })
    answer()
    expect(await delivery('pending')).toMatchObject({ attempts: 1 })
  })

  test("of another merchant's, of an unknown and of a malformed id are answered alike", async () => {
    const dead = await deadDelivery()
    const stranger = service.delivery.as(merchantCaller())
    const live = service.delivery.as({ ...caller, isTest: false })
    const refused = await Promise.allSettled([
      stranger.retryDelivery({ id: dead.id }),
      stranger.retryDelivery({ id: randomUUID() }),
      stranger.retryDelivery({ id: 'x' }),
      live.retryDelivery({ id: dead.id }),
    ])
    const answers = refused.map(
      (each) => each.status === 'rejected' && { ...each.reason, message: each.reason.message },
    )
    expect(answers[0]).toMatchObject({ code: 'not_found' })
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
  })

  test('by an operator needs the permission and works for every merchant', async () => {
    const dead = await deadDelivery()
    const reader = adminCaller({ permissions: ['admin.webhooks.read'] })
    await expect(service.delivery.as(reader).retryDelivery({ id: dead.id })).rejects.toMatchObject({
      code: 'forbidden',
      details: { required: ['admin.webhooks.retry'] },
    })
    const listed = await service.delivery
      .as(reader)
      .listDeliveries({ limit: 0, offset: 0, merchant_id: caller.merchantId })
    expect(listed.items).toMatchObject([{ id: dead.id, merchant_id: caller.merchantId }])
    await service.delivery.as(adminCaller()).retryDelivery({ id: dead.id })
    await delivery('succeeded')
  })
})

describe('the list of deliveries', () => {
  test('of a merchant that does not exist is not found, of one without deliveries it is empty', async () => {
    const operator = service.delivery.as(adminCaller())
    const list = (merchantId: string) => operator.listDeliveries({ limit: 0, offset: 0, merchant_id: merchantId })
    await expect(list(randomUUID())).rejects.toMatchObject({ code: 'not_found' })
    const newcomer = { id: randomUUID(), name: 'Corner Shop', email: 'owner@example.com' }
    await service.announceMerchant(newcomer)
    await eventually(async () => expect(await list(newcomer.id)).toMatchObject({ items: [], total: 0 }))
  })

  test('is newest first, filtered and paged, with the true total', async () => {
    const orderId = randomUUID()
    await service.announce({ merchantId: caller.merchantId, orderId })
    await service.announce({ merchantId: caller.merchantId, orderId, version: 2, type: 'order.accepted' })
    await service.announce({ merchantId: caller.merchantId })
    const list = (filter: object) => service.delivery.as(caller).listDeliveries({ limit: 0, offset: 0, ...filter })
    await eventually(async () => (await list({ status: 'succeeded' })).total === 3)
    expect(await list({ limit: 200 })).toMatchObject({ total: 3, limit: 200, offset: 0 })
    expect(await list({})).toMatchObject({ total: 3, limit: 50, offset: 0 })
    expect(await list({ order_id: orderId })).toMatchObject({ total: 2 })
    expect(await list({ event: 'order.accepted' })).toMatchObject({ total: 1, items: [{ order_id: orderId }] })
    expect(await list({ status: 'dead' })).toMatchObject({ total: 0, items: [] })
    const pages = await Promise.all([0, 1, 2].map((offset) => list({ limit: 1, offset })))
    const times = pages.map(({ items }) => items[0]?.created_at ?? '')
    expect(times).toEqual(times.toSorted().toReversed())
    expect((await service.delivery.as(merchantCaller()).listDeliveries({ limit: 0, offset: 0 })).total).toBe(0)
    await expect(list({ limit: 201 })).rejects.toMatchObject({ code: 'validation_error', details: { field: 'limit' } })
    await expect(list({ status: 'x' })).rejects.toMatchObject({ code: 'validation_error' })
    await expect(list({ order_id: 'x' })).rejects.toMatchObject({ code: 'validation_error' })
  })
})
