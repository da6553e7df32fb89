import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { encodeFact } from '@svc/contracts/facts'
import { SANDBOX_RIDER } from '@svc/credentials'
import { type Caller, systemCaller } from '@svc/grpc'
import { kafkaProducer } from '@svc/kafka'
import { adminCaller, eventually, merchantCaller, riderCaller } from '@svc/testing'
import { eventIdOf } from '@svc/transact'
import { decodeJwt } from 'jose'
import { refusal } from '../../admin/test/start-admin.ts'
import { dispatchMesh } from './dispatch-mesh.ts'
import { insertRider } from './riders-fixture.ts'
import { signUp } from './sign-up.ts'
import { newPhone, type Phones, visitor, withPhones } from './with-phones.ts'

let phones: Phones
let mesh: Phones['mesh']
const SOS_PHONE = '+2348000000911'
beforeAll(async () => {
  phones = await withPhones({ SOS_PHONES: SOS_PHONE })
  mesh = phones.mesh
})
afterAll(() => phones.stop())
beforeEach(() => phones.provider.respond(() => ({ body: '{"code":"ok"}' })))

const request = (caller: Caller, rider_id: string, phone?: string) =>
  mesh.riders(caller).requestRiderPhoneOtp({ rider_id, phone })
const verify = async (caller: Caller, rider_id: string, code: string, phone?: string) =>
  (await mesh.riders(caller).verifyRiderPhoneOtp({ rider_id, code, phone })).rider!
/** A rider whose log-in by a code is so many seconds old. */
const loggedIn = (id: string, secondsAgo = 10) =>
  riderCaller(id, { codeLoginAt: Math.floor(Date.now() / 1000) - secondsAgo })
const tooOld = refusal('forbidden', { reason: 'fresh_login_required' })
const forRider = refusal('forbidden', { reason: 'rider_login_required' })
async function verdictOn(token: string): Promise<string> {
  const { credential, sid } = decodeJwt(token) as { credential: string; sid: string }
  return (await mesh.admin.credentials.as(systemCaller('gateway')).verifySession({ credential, session_id: sid }))
    .verdict
}
const logs = (filter: object) => mesh.riders(adminCaller()).listOtpSendLogs({ limit: 50, offset: 0, ...filter })

describe("a rider's phone", () => {
  test('moves to the one that was proven, for a rider who has just logged in by a code', async () => {
    const merchant = merchantCaller({ isTest: false })
    const id = await insertRider(mesh, { merchantId: merchant.merchantId })
    const phone = newPhone()
    const { phone: old } = (await mesh.riders(adminCaller()).getRider({ id })).rider!
    const fresh = loggedIn(id)
    expect((await request(fresh, id, `0${phone.slice(4)}`)).otp).toMatchObject({ cooldown_seconds: 60 })
    const code = await phones.codeSentTo(phone)
    await expect(verify(fresh, id, code, newPhone())).rejects.toEqual(refusal('invalid_otp', { attempts_left: 4 }))
    // Who may is judged again when the code comes, and a code that met a refusal stays good.
    await expect(verify(merchant, id, code, phone)).rejects.toEqual(forRider)
    await expect(verify(loggedIn(id, 3_700), id, code, phone)).rejects.toEqual(tooOld)
    const rider = await verify(fresh, id, code, phone)
    expect(rider).toMatchObject({ id, phone })
    expect(rider.phone_verified_at).toBeDefined()
    await expect(verify(fresh, id, code)).rejects.toEqual(refusal('invalid_otp'))
    await eventually(() =>
      expect(phones.textsTo(old)).toContainEqual(expect.stringContaining(`ends in ${phone.slice(-4)}`)),
    )
  })

  test('moves by no token that a key has minted, nor by one whose log-in is more than an hour ago', async () => {
    const id = await insertRider(mesh)
    for (const caller of [riderCaller(id), loggedIn(id, 3_700)])
      await expect(request(caller, id, newPhone())).rejects.toEqual(tooOld)
  })

  test('moves by the merchant that made the rider while nobody has proven to be it, and by no other', async () => {
    const merchant = merchantCaller({ isTest: false })
    const { merchantId } = merchant
    const made = await insertRider(mesh, { merchantId, createdBy: merchantId })
    const phone = newPhone()
    await request(merchant, made, phone)
    expect(await verify(merchant, made, await phones.codeSentTo(phone))).toMatchObject({ phone })
    // Proven now, and so its rider's own.
    await expect(request(merchant, made, newPhone())).rejects.toEqual(forRider)
    const foreign = await insertRider(mesh, { merchantId, createdBy: randomUUID() })
    const joined = await insertRider(mesh, { merchantId })
    for (const id of [foreign, joined]) await expect(request(merchant, id, newPhone())).rejects.toEqual(forRider)
    // Each may have its present phone proven.
    const { phone: present } = (await mesh.riders(adminCaller()).getRider({ id: joined })).rider!
    await request(merchant, joined)
    expect(await verify(merchant, joined, await phones.codeSentTo(present))).toMatchObject({ phone: present })
  })

  test('that moves ends every other token, and leaves the one by which it moved', async () => {
    const phone = newPhone()
    const id = (await mesh.riders(visitor()).registerRider({ name: 'Musa', phone })).rider_id
    const logIn = async () => {
      await mesh.sql('UPDATE otps SET resend_at = app_now() WHERE subject_id = $1', [phone])
      const sent = phones.codesSentTo(phone).length
      await mesh.riders(visitor()).requestRiderLogin({ phone, is_test: false })
      await eventually(() => expect(phones.codesSentTo(phone).length).toBeGreaterThan(sent))
      const login = { phone, code: phones.codesSentTo(phone).at(-1)!, is_test: false }
      return (await mesh.riders(visitor()).verifyRiderLogin(login)).tokens!.access_token
    }
    const [lost, own] = [await logIn(), await logIn()]
    const { sid, auth_time } = decodeJwt(own) as { sid: string; auth_time: number }
    const caller = riderCaller(id, { sessionId: sid, codeLoginAt: auth_time })
    const next = newPhone()
    await request(caller, id, next)
    await verify(caller, id, await phones.codeSentTo(next))
    expect([await verdictOn(lost), await verdictOn(own)]).toEqual(['revoked', 'active'])
  })

  test('of somebody else is refused when it is asked for, and when it was taken meanwhile', async () => {
    const [id, other] = [await insertRider(mesh), await insertRider(mesh)]
    const taken = (await mesh.riders(adminCaller()).getRider({ id: other })).rider!.phone
    await expect(request(loggedIn(id), id, taken)).rejects.toEqual(refusal('phone_in_use'))
    const phone = newPhone()
    await request(loggedIn(id), id, phone)
    const code = await phones.codeSentTo(phone)
    await mesh.riders(visitor()).registerRider({ name: 'Faster', phone })
    await expect(verify(loggedIn(id), id, code)).rejects.toEqual(refusal('phone_in_use'))
    await expect(request(loggedIn(id), id, 'none')).rejects.toEqual(refusal('validation_error', { field: 'phone' }))
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
      await expect(request(loggedIn(id), id, phone)).rejects.toEqual(refusal('service_unavailable'))
      phones.provider.respond(() => ({ body: '{"code":"ok"}' }))
      await request(loggedIn(id), id, phone)
      await expect(request(loggedIn(id), id, phone)).rejects.toEqual(refusal('otp_cooldown'))
      const { items } = await logs({ phone })
      expect(items.map(({ status }) => status).toSorted()).toEqual(['failed', 'sent'])
    },
  )
})

describe('a notice', () => {
  let producer: ReturnType<typeof kafkaProducer>
  beforeAll(() => {
    producer = kafkaProducer({ brokers: mesh.environment['KAFKA_BROKERS']!.split(','), clientId: 'test' })
  })
  afterAll(() => producer.stop())

  const tellsOf = (phone: string, last4: string) =>
    eventually(() => expect(phones.textsTo(phone)).toContainEqual(expect.stringContaining(`ends in ${last4}`)))
  const openTo = (phone: string) =>
    mesh.sql<{ subject: string; tries: number; outcome: { error: string } | null }>(
      `SELECT subject_id AS subject, tries, outcome FROM intent
        WHERE kind = 'rider_notice' AND payload->>'to' = $1 AND state = 'pending'`,
      [phone],
    )

  /** A rider that nobody has told anything yet. */
  async function unaware(): Promise<{ id: string; phone: string }> {
    const id = await insertRider(mesh)
    return { id, phone: (await mesh.riders(adminCaller()).getRider({ id })).rider!.phone }
  }

  /** Announces twice that the rider is paid elsewhere, as the wallet would. */
  async function payElsewhere(riderId: string, last4: string): Promise<void> {
    const change = randomUUID()
    const fact = { owner_type: 'rider', owner_id: riderId, payout_instrument_id: randomUUID(), account_last4: last4 }
    const message = {
      topic: `${mesh.environment['TOPIC_PREFIX']}svc.wallet.v1`,
      key: change,
      payload: encodeFact('payout_instrument.changed', fact),
      headers: {
        ce_specversion: '1.0',
        ce_id: eventIdOf(change, 'payout_instrument.changed', 1),
        ce_type: 'payout_instrument.changed',
        ce_source: 'wallet',
        ce_time: new Date().toISOString(),
        ce_aggregateversion: '1',
        ce_istest: 'false',
      },
    }
    // A topic that was made a moment ago may have no leader yet.
    await eventually(() => producer.send([message, message]))
  }

  /** The provider refuses the notice to that phone until it was tried so often; answers how to take it. */
  async function refused(phone: string, times: number): Promise<() => Promise<unknown>> {
    const [{ subject }] = await eventually(async () => {
      const open = await openTo(phone)
      return open.length === 1 ? (open as [(typeof open)[0]]) : null
    })
    const { intents } = mesh.service.context
    await eventually(async () => {
      expect(await intents.drive('rider_notice', subject)).toMatchObject({ state: 'open' })
      const [notice] = await openTo(phone)
      return notice!.tries >= times
    })
    return () => eventually(async () => (await intents.drive('rider_notice', subject)).state === 'applied')
  }

  const logIn = (phone: string) => mesh.riders(visitor()).requestRiderLogin({ phone, is_test: false })

  test('tells a rider that it is paid elsewhere, once for each change', async () => {
    const { id, phone } = await unaware()
    await payElsewhere(id, '4321')
    await tellsOf(phone, '4321')
    await payElsewhere(id, '8765')
    await tellsOf(phone, '8765')
    expect(phones.textsTo(phone)).toHaveLength(2)
  })

  test('comes though its number has had all its codes of the hour', async () => {
    const { id, phone } = await unaware()
    await mesh.sql('INSERT INTO code_numbers VALUES ($1, array_fill(app_now(), ARRAY[30]), app_now())', [phone])
    await expect(logIn(phone)).rejects.toEqual(refusal('rate_limited'))
    await payElsewhere(id, '4321')
    await tellsOf(phone, '4321')
  })

  test('above ten within an hour waits for room, and takes none of the codes', async () => {
    const { id, phone } = await unaware()
    for (let n = 1000; n < 1011; n++) await payElsewhere(id, String(n))
    await eventually(async () => {
      const open = await openTo(phone)
      expect(open).toMatchObject([{ outcome: { error: 'service_unavailable' } }])
    })
    expect(phones.textsTo(phone)).toHaveLength(10)
    await logIn(phone)
    await phones.codeSentTo(phone)
    try {
      await mesh.database.shiftClock(3_601_000)
      await eventually(() => expect(new Set(phones.textsTo(phone)).size).toBe(12))
    } finally {
      await mesh.database.shiftClock(0)
    }
  })

  test('that the provider refuses again and again goes out once, when it takes it; and so does a code', async () => {
    const { id, phone } = await unaware()
    phones.provider.respond(() => ({ status: 503 }))
    await payElsewhere(id, '4321')
    // The same, about which nobody has been told yet, is not told twice.
    await payElsewhere(id, '4321')
    const send = await refused(phone, 30)
    const before = phones.textsTo(phone).length
    phones.provider.respond(() => ({ body: '{"code":"ok"}' }))
    await send()
    expect(phones.textsTo(phone).slice(before)).toEqual([expect.stringContaining('ends in 4321')])
    await logIn(phone)
    await phones.codeSentTo(phone)
  })

  test('of a fleet counts against the day of its merchant once it was taken', async () => {
    const { id: merchantId, live } = await signUp(mesh)
    const { invite_code } = await mesh.fleet(live).createInviteCode({})
    const phone = newPhone()
    const counted = async () =>
      (await mesh.sql<{ sent: number }>('SELECT sent FROM code_merchants WHERE merchant_id = $1', [merchantId]))[0]
        ?.sent
    phones.provider.respond(() => ({ status: 503 }))
    await mesh.fleet(visitor()).redeemFleetInvite({ code: invite_code!.code, name: 'Musa', phone })
    const send = await refused(phone, 3)
    await eventually(async () => expect(await counted()).toBe(0))
    phones.provider.respond(() => ({ body: '{"code":"ok"}' }))
    await send()
    expect(await counted()).toBe(1)
  })
})

describe('messages to one number', () => {
  /** Whoever asks for whatever: the purposes have codes, and cooldowns, of their own. */
  async function ask(phone: string, count: number): Promise<string[]> {
    const ids = await Promise.all(Array.from({ length: count }, () => insertRider(mesh)))
    return Promise.all(
      ids.map((id) =>
        request(loggedIn(id), id, phone).then(
          () => 'sent',
          (error: { code: string; retryAfterSeconds?: number }) =>
            `${error.code} ${(error.retryAfterSeconds ?? 0) > 3_000}`,
        ),
      ),
    )
  }

  test('are twenty-five within an hour at most beside log-ins, however many riders ask at once; then there may be more', async () => {
    const phone = newPhone()
    const answers = await ask(phone, 40)
    expect(answers.filter((answer) => answer === 'sent')).toHaveLength(25)
    expect(answers.filter((answer) => answer === 'rate_limited true')).toHaveLength(15)
    expect(phones.codesSentTo(phone)).toHaveLength(25)
    await expect(mesh.riders(visitor()).requestRiderLogin({ phone, is_test: false })).rejects.toEqual(
      refusal('rate_limited'),
    )
    expect(await ask(newPhone(), 1)).toEqual(['sent'])
    try {
      await mesh.database.shiftClock(3_601_000)
      expect(await ask(phone, 1)).toEqual(['sent'])
    } finally {
      await mesh.database.shiftClock(0)
    }
  })

  test('go to countries that the operator admits', async () => {
    const id = await insertRider(mesh)
    const foreign = refusal('validation_error', { field: 'phone' })
    await expect(request(loggedIn(id), id, '+14155552671')).rejects.toEqual(foreign)
    await expect(mesh.riders(visitor()).requestRiderLogin({ phone: '+14155552671', is_test: false })).rejects.toEqual(
      foreign,
    )
    expect(phones.codesSentTo('+14155552671')).toEqual([])
  })

  test("are counted against the day of the merchant whose fleet asks, and no other's", async () => {
    const [merchantId, other] = [randomUUID(), randomUUID()]
    await mesh.sql("INSERT INTO code_merchants VALUES ($1, (app_now() AT TIME ZONE 'UTC')::date, 9999)", [merchantId])
    const [one, two, third] = [
      await insertRider(mesh, { merchantId }),
      await insertRider(mesh, { merchantId }),
      await insertRider(mesh, { merchantId: other }),
    ]
    await request(riderCaller(one), one)
    await expect(request(riderCaller(two), two)).rejects.toEqual(refusal('rate_limited'))
    await request(riderCaller(third), third)
  })

  test('of the sandbox are none, and leave no record', async () => {
    const { phone } = SANDBOX_RIDER
    for (let n = 0; n < 40; n++) await mesh.riders(visitor()).requestRiderLogin({ phone, is_test: true })
    await request(riderCaller(SANDBOX_RIDER.id, { isTest: true }), SANDBOX_RIDER.id)
    await request(merchantCaller(), SANDBOX_RIDER.id)
    expect(
      await mesh.sql(
        'SELECT phone FROM otp_send_log WHERE phone = $1 UNION ALL SELECT phone FROM otps WHERE phone = $1',
        [phone],
      ),
    ).toEqual([])
    expect(phones.textsTo(phone)).toEqual([])
  })
})

describe('the log of messages', () => {
  test('is found by digits, and shows no number whole', async () => {
    const id = await insertRider(mesh)
    const phone = newPhone()
    await request(loggedIn(id), id, phone)
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
    expect(await bare.sql('SELECT * FROM otp_send_log')).toEqual([])
  } finally {
    await bare.stop()
  }
})
