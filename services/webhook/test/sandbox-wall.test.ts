import { createHmac, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { DeliveryServiceService, EventServiceService } from '@svc/contracts/webhook/v1/delivery_service'
import { OutboundWebhookServiceService } from '@svc/contracts/webhook/v1/outbound_webhook_service'
import { eventually, merchantCaller, type Receiver, receiver } from '@svc/testing'
import { startWebhook, type TestWebhook } from './start-webhook.ts'

const SERVICES = [OutboundWebhookServiceService, DeliveryServiceService, EventServiceService]
const ENDPOINT =
  'url, enabled, secret, previous_secret, previous_secret_expires_at, events, signature_version, disabled_reason, updated_at'
const LIVE_SECRET = 'the live secret 0123'

let service: TestWebhook
let live: Receiver
let sandbox: Receiver
beforeAll(async () => {
  service = await startWebhook()
  ;[live, sandbox] = await Promise.all([receiver(), receiver()])
})
afterAll(async () => {
  await service?.stop()
  await Promise.all([live?.close(), sandbox?.close()])
})

/** Everything that is stored of the live environment. */
async function liveRows(merchantId: string): Promise<unknown> {
  const found = [await service.sql(`SELECT ${ENDPOINT} FROM endpoint WHERE merchant_id = $1`, [merchantId])]
  for (const table of ['delivery', 'queued_delivery', 'lane', 'alert', 'event_log']) {
    found.push(await service.sql(`SELECT * FROM ${table} WHERE merchant_id = $1 AND NOT is_test`, [merchantId]))
  }
  return found
}

test('what the live URL gets of the sandbox is chosen and signed by the live endpoint, and no test credential repeats it', async () => {
  const owner = merchantCaller({ isTest: null })
  const merchantId = owner.merchantId as string
  const receiving = await receiver()
  await service.patch(owner, { url: receiving.url, enabled: true, secret: LIVE_SECRET })
  const key = { ...owner, isTest: true }
  await service.patch(key, {
    secret: 'a secret of a tester',
    signature_version: 'v2',
    events: { events: ['order.accepted'] },
  })
  await service.webhook.as(key).rotateOutboundWebhookSecret({})
  await service.announce({ merchantId, orderId: randomUUID() })
  const sent = await receiving.waitFor(({ headers }) => headers['x-service-event'] === 'order.created')
  const signature = createHmac('sha256', LIVE_SECRET).update(sent.body).digest('hex')
  expect(sent.headers['x-service-signature']).toContain(signature)
  const replay = service.event.as(key).replayEvents({ since: new Date(0).toISOString(), events: [] })
  await expect(replay).rejects.toMatchObject({ code: 'validation_error', details: { field: 'url' } })

  receiving.respond(() => ({ status: 410 }))
  await service.announce({ merchantId, orderId: randomUUID() })
  const dead = await eventually(async () => {
    const { items } = await service.delivery.as(key).listDeliveries({ limit: 0, offset: 0 })
    return items.find(({ status }) => status === 'dead') ?? false
  })
  const retry = service.delivery.as(key).retryDelivery({ id: dead.id })
  await expect(retry).rejects.toMatchObject({ code: 'validation_error', details: { field: 'url' } })
  await expect(service.delivery.as(key).retryDelivery({ id: randomUUID() })).rejects.toMatchObject({
    code: 'not_found',
  })
  receiving.respond(() => ({ status: 200 }))
  const { delivery } = await service.delivery.as(owner).retryDelivery({ id: dead.id })
  expect(delivery).toMatchObject({ status: 'pending', is_test: true })
  await receiving.close()
})

test('no rpc changes or shows anything live to a test credential', async () => {
  const owner = merchantCaller({ isTest: null })
  const merchantId = owner.merchantId as string
  await service.patch(owner, { url: live.url, enabled: true, secret: LIVE_SECRET, events: { events: [] } })
  await service.patch(owner, { events: { events: ['order.created'] } })
  await service.announce({ merchantId, isTest: false })
  const page = { limit: 0, offset: 0 }
  const delivered = await eventually(async () => {
    const { items } = await service.delivery.as(owner).listDeliveries(page)
    return items[0]?.status === 'succeeded' && items[0]
  })
  const before = await liveRows(merchantId)

  const key = { ...owner, isTest: true }
  const [webhook, delivery, event] = [service.webhook.as(key), service.delivery.as(key), service.event.as(key)]
  const set = { url: sandbox.url, enabled: true, secret: 'the sandbox secret', events: { events: ['order.created'] } }
  const period = { since: new Date(0).toISOString(), events: [] }
  const calls: Record<string, Array<() => Promise<unknown>>> = {
    getOutboundWebhook: [() => webhook.getOutboundWebhook({})],
    getOutboundWebhooks: [() => webhook.getOutboundWebhooks({ merchant_ids: [merchantId] })],
    testOutboundWebhook: [() => webhook.testOutboundWebhook({ is_test: false })],
    rotateOutboundWebhookSecret: [() => webhook.rotateOutboundWebhookSecret({})],
    updateOutboundWebhook: [
      () => service.patch(key, set),
      () =>
        service.patch(key, { test_url: sandbox.url, test_secret: 'another of the sandbox', signature_version: 'v2' }),
      () => service.patch(key, { enabled: false, clear_fields: ['url', 'secret', 'test_url', 'test_secret'] }),
      () => service.patch(key, { merchant_id: merchantId, enabled: false }),
    ],
    listDeliveries: [() => delivery.listDeliveries(page)],
    retryDelivery: [() => delivery.retryDelivery({ id: delivered.id })],
    listEvents: [() => event.listEvents({ limit: 0 })],
    replayEvents: [() => event.replayEvents(period)],
  }
  expect(Object.keys(calls).toSorted()).toEqual(SERVICES.flatMap((definition) => Object.keys(definition)).toSorted())
  // The sandbox goes to the live endpoint, stands by itself, and is cleared again.
  const each = Object.values(calls).flat()
  const answers = await each.reduce<Promise<unknown[]>>(async (before, call) => {
    const seen = await before
    return [...seen, await call().catch((refusal: unknown) => JSON.stringify(refusal))]
  }, Promise.resolve([]))
  await service.patch(key, set)
  await service.announce({ merchantId, orderId: randomUUID() })
  await sandbox.waitFor(({ headers }) => headers['x-service-event'] === 'order.created')
  for (const name of ['replayEvents', 'testOutboundWebhook', 'getOutboundWebhook', 'listDeliveries', 'listEvents']) {
    answers.push(await calls[name]?.[0]?.())
  }

  expect(await liveRows(merchantId)).toEqual(before)
  expect(JSON.stringify(answers)).not.toContain(live.url)
  expect(JSON.stringify(answers)).not.toContain(LIVE_SECRET)
  expect(live.requests).toHaveLength(1)
})

test('what was made or asked for while the sandbox had a URL goes to no live endpoint when that is cleared', async () => {
  const owner = merchantCaller({ isTest: null })
  const merchantId = owner.merchantId as string
  const key = { ...owner, isTest: true }
  const [receiving, failing] = await Promise.all([receiver(), receiver({ respond: () => ({ status: 500 }) })])
  const orderOf = (request: { json(): unknown }) => (request.json() as { order: { id: string } }).order.id
  const deliveryOf = (orderId: string, status: string) =>
    eventually(async () => {
      const { items } = await service.delivery.as(key).listDeliveries({ limit: 0, offset: 0, order_id: orderId })
      return (items[0]?.status === status && items[0].attempts > 0 && items[0]) || false
    })
  const set = { url: failing.url, enabled: true, secret: 'the sandbox secret', events: { events: ['order.created'] } }
  const clear = () => service.patch(key, { enabled: false, clear_fields: ['url'] })
  try {
    // Before there is a sandbox URL: it goes to the live endpoint, which takes it away for good.
    receiving.respond(() => ({ status: 410 }))
    await service.patch(owner, { url: receiving.url, enabled: true, secret: LIVE_SECRET })
    const earlier = randomUUID()
    await service.announce({ merchantId, orderId: earlier })
    const { id: retried } = await deliveryOf(earlier, 'dead')
    receiving.respond(() => ({ status: 200 }))

    await service.patch(key, set)
    const made = randomUUID()
    await service.announce({ merchantId, orderId: made })
    await service.delivery.as(key).retryDelivery({ id: retried })
    await Promise.all([made, earlier].map((orderId) => failing.waitFor((request) => orderOf(request) === orderId)))
    await Promise.all([deliveryOf(made, 'pending'), deliveryOf(earlier, 'pending')])
    await clear()
    await service.database.shiftClock(3_600_000)
    // A change of the endpoint looks at what waits by the clock as it is now.
    await service.patch(key, { signature_version: 'v2' })
    const ended = await Promise.all([deliveryOf(made, 'dead'), deliveryOf(earlier, 'dead')])
    expect(ended.map(({ last_error }) => last_error)).toEqual(Array(2).fill('the sandbox has no URL any more'))
    expect(receiving.requests.map(orderOf)).toEqual([earlier])

    // What is made from now on is for the live endpoint, which has not failed.
    const later = randomUUID()
    await service.announce({ merchantId, orderId: later })
    await receiving.waitFor((request) => orderOf(request) === later)
    // The owner may have it there too.
    await service.delivery.as(owner).retryDelivery({ id: ended[0]!.id })
    await receiving.waitFor((request) => orderOf(request) === made)
    expect(receiving.requests.map(orderOf).toSorted()).toEqual([earlier, later, made].toSorted())
  } finally {
    await service.database.shiftClock(0)
    await Promise.all([receiving.close(), failing.close()])
  }
})
