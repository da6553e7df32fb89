import { randomInt, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { SANDBOX_RIDER } from '@svc/credentials'
import { type Caller, systemCaller } from '@svc/grpc'
import { eventually, merchantCaller, onceAvailable, type Receiver, receiver, riderCaller } from '@svc/testing'
import { LOCAL_OBJECT_STORE } from '../../../deploy/local/src/providers/object-store/provider.ts'
import { createProviders, type Providers } from '../../../deploy/local/src/providers/server.ts'
import { type DispatchMesh, dispatchMesh } from './dispatch-mesh.ts'

let sms: Receiver
let store: Providers
let mesh: DispatchMesh

beforeAll(async () => {
  sms = await receiver({ respond: () => ({ body: '{"code":"ok"}' }) })
  store = createProviders()
  await store.start()
  mesh = await dispatchMesh({
    MESSAGING_API_URL: sms.url,
    MESSAGING_API_KEY: 'key',
    OTP_PEPPER: Buffer.alloc(32, 7).toString('base64'),
    OBJECT_STORE_BUCKET_URL: `${store.url()}/object-store/photos`,
    OBJECT_STORE_ACCESS_KEY_ID: LOCAL_OBJECT_STORE.accessKeyId,
    OBJECT_STORE_SECRET_ACCESS_KEY: LOCAL_OBJECT_STORE.secretAccessKey,
  })
})
afterAll(async () => {
  await mesh?.stop()
  await sms?.close()
  await store?.stop()
})

const CUSTOMER = '+2348031234567'
const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString()

/** An order under way with a rider of its own, as dispatch would have assigned it. */
async function carried(isTest = false) {
  const merchant = merchantCaller({ isTest })
  const phone = `+23481${String(randomInt(10 ** 8)).padStart(8, '0')}`
  const riderId = isTest
    ? SANDBOX_RIDER.id
    : (await mesh.riders({ ...merchantCaller(), kind: 'public' }).registerRider({ name: 'Musa', phone })).rider_id
  const { order } = await mesh.orders(merchant).createOrder({
    source: 'api',
    external_order_id: randomUUID(),
    raw_payload_json: '{}',
    standardized_json: JSON.stringify({
      pickup_address: '1 Marina Road',
      dropoff_address: '22 Broad Street',
      customer_phone: CUSTOMER,
      scheduled_pickup_at: inHours(1),
      delivery_window_start: inHours(1),
      delivery_window_end: inHours(3),
    }),
  })
  await mesh.fulfilment(systemCaller('dispatch')).commitAssignment({
    order_id: order!.id,
    rider: { id: riderId },
    op_key: randomUUID(),
    expected_assignment_version: order!.assignment_version,
    accept: true,
    actor_type: 'system',
    actor_id: 'test',
  })
  const sandbox = isTest ? { isTest: true, merchantId: merchant.merchantId } : {}
  return { orderId: order!.id, riderId, merchant, rider: riderCaller(riderId, sandbox) }
}

const textsTo = (phone: string) =>
  sms.requests
    .map(({ body }) => JSON.parse(body.toString()) as { to: string; sms: string })
    .filter(({ to }) => `+${to}` === phone)
const lastCode = () => /\d{6}/.exec(textsTo(CUSTOMER).at(-1)!.sms)![0]
const other = (code: string) => (code === '111111' ? '222222' : '111111')
const refusal = (code: string, details?: object) =>
  expect.objectContaining({ code, ...(details && { details: expect.objectContaining(details) }) })

describe('a hand-over proven by the customer', () => {
  test('the code goes to the customer, proves the delivery once, and is stored as no digits', async () => {
    const { orderId, rider, riderId } = await carried()
    const { otp } = await mesh.proof(rider).requestPodOtp({ order_id: orderId })
    expect(otp).toMatchObject({ expires_in: 600, cooldown_seconds: 60 })
    const code = lastCode()
    const [row] = await mesh.sql<{ stored: string }>(
      "SELECT otps::text AS stored FROM otps WHERE purpose = 'pod' AND subject_id = $1",
      [orderId],
    )
    expect(row?.stored).not.toContain(code)
    await expect(mesh.proof(rider).verifyPodOtp({ order_id: orderId, code: other(code) })).rejects.toEqual(
      refusal('invalid_otp', { attempts_left: 4 }),
    )
    const { order } = await mesh.proof(rider).verifyPodOtp({ order_id: orderId, code, point: { lat: 6.4, lng: 3.4 } })
    expect(order?.status).toBe('delivered')
    expect(JSON.parse(order!.unified_json).pod).toEqual({
      method: 'otp',
      verified_at: expect.any(String),
      rider_id: riderId,
      phone_last4: '4567',
      photo_storage_key: null,
      lat: 6.4,
      lng: 3.4,
      attempts: 2,
    })
    await eventually(async () => {
      const [intent] = await mesh.sql<{ state: string }>('SELECT state FROM intent WHERE subject_id = $1', [orderId])
      return intent?.state === 'applied'
    })
    expect((await mesh.proof(rider).verifyPodOtp({ order_id: orderId, code })).order).toEqual(order)
    await expect(mesh.proof(rider).verifyPodOtp({ order_id: orderId, code: other(code) })).rejects.toEqual(
      refusal('order_terminal'),
    )
    await expect(mesh.proof(riderCaller(randomUUID())).verifyPodOtp({ order_id: orderId, code })).rejects.toEqual(
      refusal('not_found'),
    )
  })

  test('however often the right code comes at once, every one is answered and the order is delivered once', async () => {
    const { orderId, rider } = await carried()
    await mesh.proof(rider).requestPodOtp({ order_id: orderId })
    const proof = { order_id: orderId, code: lastCode() }
    const answers = await Promise.all(Array.from({ length: 8 }, () => mesh.proof(rider).verifyPodOtp(proof)))
    expect(new Set(answers.map(({ order }) => `${order!.status} ${order!.version}`)).size).toBe(1)
    const facts = await mesh.orderSql("SELECT FROM outbox WHERE aggregate_id = $1 AND type = 'order.delivered'", [
      orderId,
    ])
    expect(facts).toHaveLength(1)
  })

  test('five wrong codes lock it, however many come at once', async () => {
    const { orderId, rider } = await carried()
    await mesh.proof(rider).requestPodOtp({ order_id: orderId })
    const code = lastCode()
    const tries = await Promise.allSettled(
      Array.from({ length: 12 }, () => mesh.proof(rider).verifyPodOtp({ order_id: orderId, code: other(code) })),
    )
    const codes = tries.map((one) => (one.status === 'rejected' ? (one.reason as { code: string }).code : 'ok'))
    expect(codes.filter((one) => one === 'invalid_otp')).toHaveLength(5)
    expect(codes.filter((one) => one === 'otp_locked')).toHaveLength(7)
    await expect(mesh.proof(rider).verifyPodOtp({ order_id: orderId, code })).rejects.toEqual(refusal('otp_locked'))
  })

  test("another rider's order does not exist", async () => {
    const { orderId } = await carried()
    const stranger = riderCaller(randomUUID())
    await expect(mesh.proof(stranger).requestPodOtp({ order_id: orderId })).rejects.toEqual(refusal('not_found'))
    await expect(mesh.proof(stranger).verifyPodOtp({ order_id: orderId, code: '000000' })).rejects.toEqual(
      refusal('not_found'),
    )
  })

  test.each([
    ['a live order', false],
    ['a test order', true],
  ])('%s that was set back is proven and delivered again', async (_what, isTest) => {
    const { orderId, rider, merchant } = await carried(isTest)
    const verify = (code: string) =>
      onceAvailable(async () => (await mesh.proof(rider).verifyPodOtp({ order_id: orderId, code })).order!)
    const codeSent = () =>
      onceAvailable(async () => {
        await mesh.sql('UPDATE otps SET resend_at = app_now() WHERE subject_id = $1', [orderId])
        await mesh.proof(rider).requestPodOtp({ order_id: orderId })
        return isTest ? '000000' : lastCode()
      })
    expect((await verify(await codeSent())).status).toBe('delivered')
    await onceAvailable(() => mesh.orders(merchant).updateOrder({ id: orderId, status: 'in_transit' }))
    const code = await codeSent()
    const delivered = await verify(code)
    expect(delivered.status).toBe('delivered')
    expect(await verify(code)).toEqual(delivered)
  })

  test('for a test order nothing is sent, and the fixed code counts there alone', async () => {
    const before = sms.requests.length
    const sandbox = await carried(true)
    await mesh.proof(sandbox.rider).requestPodOtp({ order_id: sandbox.orderId })
    expect(sms.requests.length).toBe(before)
    await expect(mesh.proof(sandbox.rider).verifyPodOtp({ order_id: sandbox.orderId, code: '123456' })).rejects.toEqual(
      refusal('invalid_otp'),
    )
    const { order } = await mesh.proof(sandbox.rider).verifyPodOtp({ order_id: sandbox.orderId, code: '000000' })
    expect(order?.status).toBe('delivered')

    const live = await carried()
    await expect(mesh.proof(live.rider).verifyPodOtp({ order_id: live.orderId, code: '000000' })).rejects.toEqual(
      refusal('invalid_otp'),
    )
  })
})

describe('photos', () => {
  const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')
  const HTML = Buffer.from('<!doctype html>!')
  const put = async ({ url, headers }: { url: string; headers: Record<string, string> }, body: Buffer) =>
    (await fetch(url, { method: 'PUT', headers, body: new Uint8Array(body) })).status
  const announce = (rider: Caller, content_type = 'image/png', size_bytes = PNG.length) =>
    mesh.proof(rider).presignPodPhoto({ content_type, size_bytes })
  const noPhoto = refusal('validation_error', { field: 'photo_storage_key' })

  test('a photo counts once it was uploaded, and only for the rider who uploaded it', async () => {
    const { orderId, rider } = await carried()
    const upload = await announce(rider)
    const { storage_key } = upload
    expect(upload.url).toContain(`${store.url()}/object-store/photos/${storage_key}?`)
    expect(upload.headers).toEqual({ 'Content-Type': 'image/png', 'Content-Length': '16', 'If-None-Match': '*' })
    await mesh.proof(rider).requestPodOtp({ order_id: orderId })
    const proof = { order_id: orderId, code: lastCode(), photo_storage_key: storage_key }
    await expect(mesh.proof(rider).verifyPodOtp(proof)).rejects.toEqual(noPhoto)
    const theirs = await announce((await carried()).rider)
    expect(await put(theirs, PNG)).toBe(200)
    const foreign = { ...proof, photo_storage_key: theirs.storage_key }
    await expect(mesh.proof(rider).verifyPodOtp(foreign)).rejects.toEqual(noPhoto)
    expect(await put(upload, PNG)).toBe(200)
    const { order } = await mesh.proof(rider).verifyPodOtp(proof)
    expect(JSON.parse(order!.unified_json).pod).toMatchObject({ photo_storage_key: storage_key })
    expect(await put(upload, HTML)).toBe(412)
  })

  test('a photo that a rider names in a status is one of its own, uploaded, and of this order alone', async () => {
    const [one, other] = [await carried(), await carried()]
    const say = ({ orderId, rider }: typeof one, status: string, photo_storage_key: string) =>
      mesh.fulfilment(rider).updateRiderOrderStatus({ order_id: orderId, status, photo_storage_key })
    const upload = await announce(one.rider)
    const theirs = await announce(other.rider)
    expect(await put(theirs, PNG)).toBe(200)
    for (const key of ['pod/1.jpg', upload.storage_key, theirs.storage_key])
      await expect(say(one, 'picked_up', key)).rejects.toEqual(noPhoto)
    await expect(say(one, 'picked_up', '')).rejects.toEqual(noPhoto)
    expect(await put(upload, PNG)).toBe(200)
    const { order } = await say(one, 'picked_up', upload.storage_key)
    expect(order!.status).toBe('picked_up')
    expect(JSON.parse(order!.unified_json).pod).toEqual({ photo_storage_key: upload.storage_key })
    expect((await say(one, 'picked_up', upload.storage_key)).order!.status).toBe('picked_up')
    await expect(
      mesh.proof(one.rider).claimPodPhoto({ order_id: other.orderId, photo_storage_key: upload.storage_key }),
    ).rejects.toEqual(noPhoto)

    await mesh.proof(one.rider).requestPodOtp({ order_id: one.orderId })
    const proven = await mesh.proof(one.rider).verifyPodOtp({ order_id: one.orderId, code: lastCode() })
    expect(JSON.parse(proven.order!.unified_json).pod).toMatchObject({
      method: 'otp',
      photo_storage_key: upload.storage_key,
    })
  })

  test('a repeat of a report is answered as the report was, whatever has become of its photo since', async () => {
    const { orderId, rider } = await carried()
    const upload = await announce(rider)
    expect(await put(upload, PNG)).toBe(200)
    const report = { order_id: orderId, status: 'picked_up', photo_storage_key: upload.storage_key }
    const event = { ...report, client_event_id: randomUUID() }
    const first = await mesh.fulfilment(rider).updateRiderOrderStatus(event)
    await mesh.sql('DELETE FROM pod_photos WHERE storage_key = $1', [upload.storage_key])
    expect(await mesh.fulfilment(rider).updateRiderOrderStatus(event)).toEqual(first)
    const other = { ...report, client_event_id: randomUUID() }
    await expect(mesh.fulfilment(rider).updateRiderOrderStatus(other)).rejects.toEqual(noPhoto)
  })

  test.each([
    ['HTML', 'image/png', HTML],
    ['a PNG', 'image/jpeg', PNG],
    ['half of a WebP', 'image/webp', Buffer.from('RIFF____________')],
  ])('%s that was announced as %s proves nothing', async (_what, type, bytes) => {
    const { orderId, rider } = await carried()
    const upload = await announce(rider, type)
    expect(await put(upload, bytes)).toBe(200)
    await mesh.proof(rider).requestPodOtp({ order_id: orderId })
    const proof = { order_id: orderId, code: lastCode(), photo_storage_key: upload.storage_key }
    await expect(mesh.proof(rider).verifyPodOtp(proof)).rejects.toEqual(noPhoto)
  })

  test('a file of another size than announced proves nothing, where a store lets it in', async () => {
    const { orderId, rider } = await carried()
    const upload = await announce(rider)
    expect(await put(upload, PNG)).toBe(200)
    await mesh.sql('UPDATE pod_photos SET size_bytes = 17 WHERE storage_key = $1', [upload.storage_key])
    await mesh.proof(rider).requestPodOtp({ order_id: orderId })
    const proof = { order_id: orderId, code: lastCode(), photo_storage_key: upload.storage_key }
    await expect(mesh.proof(rider).verifyPodOtp(proof)).rejects.toEqual(noPhoto)
  })

  test.each([
    ['content_type', { content_type: 'image/gif', size_bytes: 3 }],
    ['size_bytes', { content_type: 'image/png', size_bytes: 0 }],
    ['size_bytes', { content_type: 'image/png', size_bytes: 10 * 1024 * 1024 + 1 }],
  ])('%s that no photo has is refused by name: %j', async (field, photo) => {
    await expect(mesh.proof(riderCaller(randomUUID())).presignPodPhoto(photo)).rejects.toEqual(
      refusal('validation_error', { field }),
    )
  })
})
