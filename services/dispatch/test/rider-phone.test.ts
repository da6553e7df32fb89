import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { SANDBOX_RIDER } from '@svc/credentials'
import type { Caller } from '@svc/grpc'
import { adminCaller, eventually, merchantCaller, riderCaller } from '@svc/testing'
import { refusal } from '../../admin/test/start-admin.ts'
import { dispatchMesh } from './dispatch-mesh.ts'
import { insertRider } from './riders-fixture.ts'
import { newPhone, type Phones, visitor, withPhones } from './with-phones.ts'

let phones: Phones
let mesh: Phones['mesh']
const SOS_PHONE = '+2348000000911'
beforeAll(async () => {
  phones = await withPhones({ SOS_PHONES: SOS_PHONE })
  mesh = phones.mesh
}, 60_000)
afterAll(() => phones.stop())
beforeEach(() => phones.provider.respond(() => ({ body: '{"code":"ok"}' })))

const request = (caller: Caller, rider_id: string, phone?: string) =>
  mesh.riders(caller).requestRiderPhoneOtp({ rider_id, phone })
const verify = async (caller: Caller, rider_id: string, code: string, phone?: string) =>
  (await mesh.riders(caller).verifyRiderPhoneOtp({ rider_id, code, phone })).rider!
const logs = (filter: object) => mesh.riders(adminCaller()).listOtpSendLogs({ limit: 50, offset: 0, ...filter })

describe("a rider's phone", () => {
  test('is set to the one that was proven, by the rider or the merchant of its fleet', async () => {
    const merchant = merchantCaller({ isTest: false })
    const id = await insertRider(mesh, { merchantId: merchant.merchantId })
    const phone = newPhone()
    expect((await request(riderCaller(id), id, `0${phone.slice(4)}`)).otp).toMatchObject({ cooldown_seconds: 60 })
    const code = await phones.codeSentTo(phone)
    await expect(verify(merchant, id, code, newPhone())).rejects.toEqual(refusal('invalid_otp', { attempts_left: 4 }))
    const rider = await verify(merchant, id, code, phone)
    expect(rider).toMatchObject({ id, phone })
    expect(rider.phone_verified_at).toBeDefined()
    await expect(verify(merchant, id, code)).rejects.toEqual(refusal('invalid_otp'))
  })

  test('of somebody else is refused when it is asked for, and when it was taken meanwhile', async () => {
    const [id, other] = [await insertRider(mesh), await insertRider(mesh)]
    const taken = (await mesh.riders(adminCaller()).getRider({ id: other })).rider!.phone
    await expect(request(riderCaller(id), id, taken)).rejects.toEqual(refusal('phone_in_use'))
    const phone = newPhone()
    await request(riderCaller(id), id, phone)
    const code = await phones.codeSentTo(phone)
    await mesh.riders(visitor()).registerRider({ name: 'Faster', phone })
    await expect(verify(riderCaller(id), id, code)).rejects.toEqual(refusal('phone_in_use'))
    await expect(request(riderCaller(id), id, 'none')).rejects.toEqual(refusal('validation_error', { field: 'phone' }))
  })

  test("is nobody else's business", async () => {
    const id = await insertRider(mesh, { merchantId: randomUUID() })
    const freelancer = await insertRider(mesh)
    for (const [caller, target] of [
      [merchantCaller(), id],
      [riderCaller(freelancer), id],
      [merchantCaller(), freelancer],
    ] as const) {
      await expect(request(caller, target)).rejects.toEqual(refusal('not_found'))
      await expect(verify(caller, target, '123456')).rejects.toEqual(refusal('not_found'))
    }
    await expect(request(visitor(), id)).rejects.toEqual(refusal('forbidden'))
    await expect(verify(visitor(), id, '123456')).rejects.toEqual(refusal('forbidden'))
  })

  test('of the sandbox rider is proven by its code and never changes', async () => {
    const bound = riderCaller(SANDBOX_RIDER.id, { isTest: true })
    await request(bound, SANDBOX_RIDER.id)
    expect(await verify(bound, SANDBOX_RIDER.id, '000000')).toMatchObject({ phone: SANDBOX_RIDER.phone })
    await expect(verify(bound, SANDBOX_RIDER.id, '000001')).rejects.toEqual(refusal('invalid_otp'))
    await expect(request(bound, SANDBOX_RIDER.id, newPhone())).rejects.toEqual(refusal('forbidden'))
    expect(phones.codesSentTo(SANDBOX_RIDER.phone)).toEqual([])
  })

  test.each([[{ status: 503 }], [{ status: 400 }], [{ body: '{"code":"insufficient_balance"}' }], [{ drop: true }]])(
    'a provider that answers %j means 503, and the next try need not wait',
    async (reply) => {
      const id = await insertRider(mesh)
      phones.provider.respond(() => reply)
      const phone = newPhone()
      await expect(request(riderCaller(id), id, phone)).rejects.toEqual(refusal('service_unavailable'))
      phones.provider.respond(() => ({ body: '{"code":"ok"}' }))
      await request(riderCaller(id), id, phone)
      await expect(request(riderCaller(id), id, phone)).rejects.toEqual(refusal('otp_cooldown'))
      const { items } = await logs({ phone })
      expect(items.map(({ status }) => status).toSorted()).toEqual(['failed', 'sent'])
    },
  )
})

describe('the log of messages', () => {
  test('is found by digits, and shows no number whole', async () => {
    const id = await insertRider(mesh)
    const phone = newPhone()
    await request(riderCaller(id), id, phone)
    const { items, total } = await logs({ phone: phone.slice(-7), channel: 'rider_phone' })
    expect(total).toBe(1)
    expect(items).toMatchObject([{ provider: 'messaging-a', status: 'sent', channel: 'rider_phone' }])
    expect(items[0]!.phone_masked).toBe(`+*********${phone.slice(-4)}`)
    expect((await logs({ phone: `0${phone.slice(4)}` })).total).toBe(1)
    for (const [filter, field] of [
      [{ phone: '123' }, 'phone'],
      [{ phone: 'abcd' }, 'phone'],
      [{ order_id: 'x' }, 'order_id'],
      [{ channel: 'fax' }, 'channel'],
    ] as const)
      await expect(logs(filter)).rejects.toEqual(refusal('validation_error', { field }))
    const reader = adminCaller({ permissions: ['admin.riders.read'] })
    await expect(mesh.riders(reader).listOtpSendLogs({ limit: 1, offset: 0 })).rejects.toEqual(refusal('forbidden'))
  })
})

describe('an alert', () => {
  const raise = (caller: Caller, alert: object = {}) => mesh.riders(caller).raiseSos(alert)
  const list = (filter: object) => mesh.riders(adminCaller()).listSosAlerts({ limit: 50, offset: 0, ...filter })

  test('is kept, sent to the phones of the operator and listed', async () => {
    const merchantId = randomUUID()
    const id = await insertRider(mesh, { merchantId })
    const { alert } = await raise(riderCaller(id), { point: { lat: 6.45, lng: 3.39 }, note: ' flat tyre, gunshots ' })
    expect(alert).toMatchObject({ rider_id: id, merchant_id: merchantId, note: 'flat tyre, gunshots' })
    const sent = await phones.provider.waitFor((message) => message.body.includes('gunshots'))
    expect(sent.json()).toMatchObject({ to: SOS_PHONE.slice(1), sms: expect.stringContaining('6.45,3.39') })
    expect((await list({ rider_id: id })).items).toEqual([alert])
    expect(await list({ merchant_id: merchantId })).toMatchObject({ total: 1 })
    expect(await list({ merchant_id: randomUUID() })).toMatchObject({ total: 0 })
  })

  test('of ten at once is one, and after two minutes there may be another', async () => {
    const id = await insertRider(mesh)
    const answers = await Promise.all(
      Array.from({ length: 10 }, () =>
        raise(riderCaller(id)).then(
          () => 'raised',
          (error: { code: string; retryAfterSeconds: number }) => `${error.code} ${error.retryAfterSeconds > 100}`,
        ),
      ),
    )
    expect(answers.toSorted()).toEqual(['raised', ...Array.from({ length: 9 }, () => 'sos_cooldown true')])
    try {
      await mesh.database.shiftClock(120_500)
      await raise(riderCaller(id))
    } finally {
      await mesh.database.shiftClock(0)
    }
  })

  test('is kept though the provider is away', async () => {
    phones.provider.respond(() => ({ drop: true }))
    const id = await insertRider(mesh)
    await raise(riderCaller(id), { note: 'alone' })
    expect(await list({ rider_id: id })).toMatchObject({ total: 1 })
  })

  test('of the shared sandbox rider stays among its tenants and rings no phone', async () => {
    const [one, other] = [randomUUID(), randomUUID()]
    const bound = (merchantId: string) => riderCaller(SANDBOX_RIDER.id, { isTest: true, merchantId })
    await raise(bound(one), { note: 'a test' })
    await raise(bound(other), { note: 'a test' })
    await expect(raise(bound(one))).rejects.toEqual(refusal('sos_cooldown'))
    expect(phones.provider.requests.some((message) => message.body.includes('a test'))).toBe(false)
    const shown = await list({})
    expect(shown.items.filter(({ rider_id }) => rider_id === SANDBOX_RIDER.id)).toEqual([])
    expect((await list({ rider_id: SANDBOX_RIDER.id })).items).toHaveLength(2)
  })

  test('refuses a place that is none, too long a note, and whoever is no rider', async () => {
    const id = await insertRider(mesh)
    for (const [alert, field] of [
      [{ point: { lat: 91, lng: 0 } }, 'lat'],
      [{ point: { lat: 0, lng: Number.NaN } }, 'lng'],
      [{ note: 'x'.repeat(501) }, 'note'],
    ] as const)
      await expect(raise(riderCaller(id), alert)).rejects.toEqual(refusal('validation_error', { field }))
    for (const caller of [merchantCaller(), adminCaller(), visitor()])
      await expect(raise(caller)).rejects.toEqual(refusal('forbidden'))
  })
})

test('where the operator has no provider, nothing is issued and known and unknown phones are told alike', async () => {
  const bare = await dispatchMesh()
  try {
    const id = await insertRider(bare)
    const { phone } = (await bare.riders(adminCaller()).getRider({ id })).rider!
    const refused = refusal('outbound_sms_not_configured')
    for (const each of [phone, newPhone()])
      await expect(bare.riders(visitor()).requestRiderLogin({ phone: each, is_test: false })).rejects.toEqual(refused)
    await expect(bare.riders(riderCaller(id)).requestRiderPhoneOtp({ rider_id: id })).rejects.toEqual(refused)
    expect(await bare.sql('SELECT * FROM otps')).toEqual([])
    await bare.riders(visitor()).requestRiderLogin({ phone: SANDBOX_RIDER.phone, is_test: true })
    await eventually(async () =>
      expect(await bare.sql('SELECT provider, status FROM otp_send_log')).toEqual([
        { provider: 'none', status: 'skipped' },
      ]),
    )
  } finally {
    await bare.stop()
  }
})
