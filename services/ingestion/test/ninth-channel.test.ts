import { createHmac, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { NormalizationServiceService } from '@svc/contracts/ingestion/v1/normalization_service'
import { adminCaller, eventually, testClient } from '@svc/testing'
import { base64Signature, hmacSha256 } from '../src/channels/base64-signature.ts'
import type { Channel } from '../src/channels/channel.ts'
import { textIn } from '../src/channels/mapping.ts'
import { matchingSecret } from '../src/channels/matching-secret.ts'
import { readKept } from '../src/channels/read-kept.ts'
import { type IntakeMesh, intakeMesh } from './intake-mesh.ts'

const NAME = 'orders-z'
const SIGNATURE = 'x-orders-z-signature'

/** All that a folder of channels holds: nothing else here has ever heard of it. */
const ordersZ: Channel = {
  name: NAME,
  platformSecrets: [],
  signatureHeader: SIGNATURE,
  keptHeaders: new Set([SIGNATURE]),
  verify(signed, secrets) {
    const given = base64Signature(signed, SIGNATURE)
    return given && matchingSecret(given, secrets, (secret) => hmacSha256(secret, signed.body))
  },
  dedupeKeyOf: ({ body }) => textIn(readKept(body)?.['ticket']) ?? body.toString('base64').slice(0, 64),
  read({ body }) {
    const externalOrderId = textIn(readKept(body)?.['ticket'])
    return externalOrderId === null ? null : { event: 'ticket', isWanted: true, merchantId: null, externalOrderId }
  },
  normalize({ ticket, street, phone }) {
    const [externalOrderId, address] = [textIn(ticket) ?? '', textIn(street)]
    if (address === null) return { outcome: 'dead_letter', reason: 'missing_address', field: 'street' }
    const order = { dropoff_address: address, customer_phone: textIn(phone) ?? '' }
    return { outcome: 'order', externalOrderId, isTest: false, toldAt: null, paymentVerified: true, order }
  },
}

let mesh: IntakeMesh
let merchantId: string
const secret = `secret-of-${randomUUID()}`
beforeAll(async () => {
  mesh = await intakeMesh({}, { channels: new Map([[NAME, ordersZ]]) })
  merchantId = await mesh.merchant()
  await mesh.put({ merchantId }, NAME, { secret, pickup: { address: '12 Marina Road, Lagos' } })
})
afterAll(() => mesh?.stop())

const ticket = (changes: object = {}) =>
  Buffer.from(JSON.stringify({ ticket: randomUUID(), street: '4 Admiralty Way', phone: '+2348031234567', ...changes }))

const send = (body: Buffer, key = secret) =>
  mesh.receive({
    channel: NAME,
    merchantId,
    headers: { [SIGNATURE]: createHmac('sha256', key).update(body).digest('base64') },
    body,
  })

test('a channel of which only its folder is there makes orders of its hooks, once, and refuses what nobody signed', async () => {
  const body = ticket()
  await expect(send(body, 'another secret')).rejects.toMatchObject({ code: 'invalid_signature' })
  const told = await Promise.all(Array.from({ length: 10 }, () => send(body)))
  expect(new Set(told.map(({ id }) => id)).size).toBe(1)
  expect(told.filter(({ status }) => status === 'accepted')).toHaveLength(1)
  const job = await mesh.judged(told[0]?.id)
  expect(job).toMatchObject({ status: 'succeeded', outcome: 'order', order_id: expect.any(String) })
  const [order, ...more] = await mesh.ordersOf(merchantId)
  expect(more).toEqual([])
  expect(order).toMatchObject({ id: job.order_id, source: NAME })
})

test('its dead letters, its jobs and what would become of a body are shown as those of any other', async () => {
  const { id } = await send(ticket({ street: '' }))
  expect(await mesh.judged(id)).toMatchObject({ status: 'failed', error: 'missing_address', field: 'street' })
  const page = { merchant_id: merchantId, limit: 50, offset: 0 }
  await eventually(async () => {
    const { items } = await mesh.ingestion.operator().listDeadLetters({ ...page, include_resolved: false })
    expect(items).toMatchObject([{ id, channel: NAME, error: 'missing_address' }])
  })
  const link = { address: mesh.ingestion.service.address(), to: 'ingestion' }
  const operator = testClient(NormalizationServiceService, link).as(adminCaller())
  const { items } = await operator.listNormalizationJobs(page)
  expect(items.map(({ channel }) => channel)).toEqual([NAME, NAME])
  const payload = ticket()
  const preview = await operator.previewNormalization({ channel: NAME, merchant_id: merchantId, payload })
  expect(preview).toMatchObject({ outcome: 'order', standardized_json: expect.stringContaining('4 Admiralty Way') })
})
