import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import { SANDBOX_RIDER } from '@svc/credentials'
import { systemCaller } from '@svc/grpc'
import { adminCaller, eventually, merchantCaller, onceAvailable, riderCaller } from '@svc/testing'
import { decodeJwt } from 'jose'
import { refusal } from '../../admin/test/start-admin.ts'
import { insertRider } from './riders-fixture.ts'
import { signUp } from './sign-up.ts'
import { newPhone, type Phones, visitor, withPhones } from './with-phones.ts'

let phones: Phones
let mesh: Phones['mesh']
beforeAll(async () => {
  // Uploads are only signed here: nobody asks the store.
  phones = await withPhones({
    OBJECT_STORE_BUCKET_URL: 'http://store.example/photos',
    OBJECT_STORE_ACCESS_KEY_ID: 'id',
    OBJECT_STORE_SECRET_ACCESS_KEY: 'secret',
  })
  mesh = phones.mesh
})
afterAll(() => phones.stop())
afterEach(() => phones.provider.respond(() => ({ body: '{"code":"ok"}' })))

const register = async (phone = newPhone()) => ({
  phone,
  id: (await mesh.riders(visitor()).registerRider({ name: 'Musa', phone })).rider_id,
})
const request = (phone: string, is_test = false) => mesh.riders(visitor()).requestRiderLogin({ phone, is_test })
const verify = async (phone: string, code: string, more: { is_test?: boolean; sandbox_merchant_id?: string } = {}) =>
  (await mesh.riders(visitor()).verifyRiderLogin({ phone, code, is_test: false, ...more })).tokens!
const sessionVerdict = async (token: string) => {
  const { credential, sid } = decodeJwt(token) as { credential: string; sid: string }
  return (await mesh.admin.credentials.as(systemCaller('gateway')).verifySession({ credential, session_id: sid }))
    .verdict
}
/** A code that is not the right one. */
const wrong = (code: string) => (code === '123456' ? '654321' : '123456')

describe('registration', () => {
  test('makes one rider of a phone, however it is written and however many ask at once', async () => {
    const phone = newPhone()
    const spellings = [phone, `0${phone.slice(4)}`]
    const made = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        onceAvailable(() => mesh.riders(visitor()).registerRider({ name: 'Musa', phone: spellings[i % 2]! })),
      ),
    )
    expect(new Set(made.map(({ rider_id }) => rider_id)).size).toBe(1)
    const facts = await mesh.sql<{ type: string }>('SELECT type FROM outbox WHERE aggregate_id = $1', [
      made[0]!.rider_id,
    ])
    expect(facts).toEqual([{ type: 'rider.created' }])
    const { rider } = await mesh.riders(adminCaller()).getRider({ id: made[0]!.rider_id })
    expect(rider).toMatchObject({
      rider_type: 'freelancer',
      merchant_id: undefined,
      kyc_status: 'pending',
      phone,
      version: 1,
    })
  })

  test.each([
    [{ phone: 'call me' }, 'phone'],
    [{ name: ' ' }, 'name'],
    [{ name: 'x'.repeat(201) }, 'name'],
    [{ vehicle_type: 'rocket' }, 'vehicle_type'],
    [{ city: '' }, 'city'],
  ])('refuses %j and names the field', async (changes, field) => {
    const given = { name: 'Musa', phone: newPhone(), ...changes }
    await expect(mesh.riders(visitor()).registerRider(given)).rejects.toEqual(refusal('validation_error', { field }))
  })
})

describe('logging in by a code', () => {
  test('gives a rider tokens for an hour and a family for thirty days, once, and proves the phone', async () => {
    const { phone, id } = await register()
    const { otp } = await request(`0${phone.slice(4)}`)
    expect(otp).toMatchObject({ expires_in: 600, cooldown_seconds: 60 })
    const code = await phones.codeSentTo(phone)
    const tokens = await verify(phone, code)
    expect(tokens).toMatchObject({ rider_id: id, is_sandbox: false, expires_in: 3600, refresh_expires_in: 30 * 86_400 })
    expect(decodeJwt(tokens.access_token)).toMatchObject({ sub: id, role: 'rider', is_test: false })
    expect(await sessionVerdict(tokens.access_token)).toBe('active')
    const account = await mesh.riders(riderCaller(id)).getRiderAccount({})
    expect(account.rider!.phone_verified_at).toBeDefined()
    expect(account.merchant).toBeUndefined()
    await expect(verify(phone, code)).rejects.toEqual(refusal('invalid_otp'))
  })

  test('the code itself is kept nowhere', async () => {
    const { phone } = await register()
    await request(phone)
    const code = await phones.codeSentTo(phone)
    const [kept] = await mesh.sql<{ row: string }>('SELECT otps::text AS row FROM otps WHERE phone = $1', [phone])
    expect(kept!.row).not.toContain(code)
  })

  test('an unknown phone gets the same answers, and no message', async () => {
    const [unknown, { phone: known }] = [newPhone(), await register()]
    const answers = await Promise.all([request(unknown), request(known)])
    await phones.codeSentTo(known)
    const shape = answers.map(({ otp }) => ({ ...otp, resend_at: typeof otp!.resend_at }))
    expect(shape[0]).toEqual(shape[1])
    for (const phone of [unknown, known]) {
      await expect(request(phone)).rejects.toEqual(refusal('otp_cooldown'))
      const bad = phone === known ? wrong(await phones.codeSentTo(known)) : '123456'
      for (const attempts_left of [4, 3, 2, 1, 0])
        await expect(verify(phone, bad)).rejects.toEqual(refusal('invalid_otp', { attempts_left }))
      await expect(verify(phone, bad)).rejects.toEqual(refusal('otp_locked'))
    }
    await expect(verify(newPhone(), '123456')).rejects.toEqual(refusal('invalid_otp', { attempts_left: 0 }))
    expect(phones.codesSentTo(unknown)).toEqual([])
  })

  test('does not wait for the provider: a slow one tells nobody which phones are known', async () => {
    const { phone } = await register()
    const release = Promise.withResolvers<{ body: string }>()
    phones.provider.respond(() => release.promise)
    await request(phone)
    release.resolve({ body: '{"code":"ok"}' })
    await phones.codeSentTo(phone)
  })

  test('ten wrong codes at once take five tries and no more, and then the right one is locked out too', async () => {
    const { phone } = await register()
    await request(phone)
    const code = await phones.codeSentTo(phone)
    const tries = await Promise.all(
      Array.from({ length: 10 }, () => verify(phone, wrong(code)).catch((error: { code: string }) => error.code)),
    )
    expect(tries.filter((answer) => answer === 'invalid_otp')).toHaveLength(5)
    expect(tries.filter((answer) => answer === 'otp_locked')).toHaveLength(5)
    await expect(verify(phone, code)).rejects.toEqual(refusal('otp_locked'))
    expect(await mesh.sql('SELECT attempts FROM otps WHERE phone = $1', [phone])).toEqual([{ attempts: 5 }])
  })

  test('the right code used ten times at once gives one pair', async () => {
    const { phone } = await register()
    await request(phone)
    const code = await phones.codeSentTo(phone)
    const tries = await Promise.all(Array.from({ length: 10 }, () => verify(phone, code).catch(() => null)))
    expect(tries.filter((tokens) => tokens !== null)).toHaveLength(1)
  })

  test('twenty who ask at once are sent one code', async () => {
    const { phone } = await register()
    const answers = await Promise.all(
      Array.from({ length: 20 }, () =>
        onceAvailable(() => request(phone)).then(
          () => 'sent',
          (error: { code: string; retryAfterSeconds: number }) => {
            expect(error.retryAfterSeconds).toBeGreaterThan(0)
            expect(error.retryAfterSeconds).toBeLessThanOrEqual(60)
            return error.code
          },
        ),
      ),
    )
    expect(answers.toSorted()).toEqual([...Array.from({ length: 19 }, () => 'otp_cooldown'), 'sent'])
    await phones.codeSentTo(phone)
    expect(phones.codesSentTo(phone)).toHaveLength(1)
  })

  test('a code dies after ten minutes, and a minute after the first another may be had', async () => {
    const { phone } = await register()
    await request(phone)
    const code = await phones.codeSentTo(phone)
    try {
      await mesh.database.shiftClock(601_000)
      await expect(verify(phone, code)).rejects.toEqual(refusal('otp_expired'))
      await request(phone)
      await eventually(() => expect(phones.codesSentTo(phone)).toHaveLength(2))
      expect(await verify(phone, phones.codesSentTo(phone)[1]!)).toMatchObject({ is_sandbox: false })
    } finally {
      await mesh.database.shiftClock(0)
    }
  })
})

describe('the sandbox rider', () => {
  test('logs in with its fixed code, as often as anybody likes, and nothing is sent', async () => {
    const { phone } = SANDBOX_RIDER
    for (let round = 0; round < 3; round++) expect((await request(phone, true)).otp).toMatchObject({ expires_in: 600 })
    for (let round = 0; round < 7; round++)
      await expect(verify(phone, '111111', { is_test: true })).rejects.toEqual(refusal('invalid_otp'))
    const tokens = await verify('08000000000', '000000', { is_test: true })
    expect(tokens).toMatchObject({ rider_id: SANDBOX_RIDER.id, is_sandbox: true, merchant_id: undefined })
    expect(decodeJwt(tokens.access_token)).toMatchObject({ is_test: true })
    expect(decodeJwt(tokens.access_token)).not.toHaveProperty('merchant_id')
    expect(phones.textsTo(phone)).toEqual([])
  })

  test('is bound to the merchant whose test key came along', async () => {
    const { id } = await signUp(mesh)
    const tokens = await verify(SANDBOX_RIDER.phone, '000000', { is_test: true, sandbox_merchant_id: id })
    expect(tokens.merchant_id).toBe(id)
    expect(decodeJwt(tokens.access_token)).toMatchObject({ merchant_id: id, is_test: true })
    const bound = riderCaller(SANDBOX_RIDER.id, { isTest: true, merchantId: id })
    await eventually(async () => expect((await mesh.riders(bound).getRiderAccount({})).merchant).toMatchObject({ id }))
  })

  test('its code works for nobody else, and never on the live path', async () => {
    const { phone } = await register()
    await request(phone, true)
    await expect(verify(phone, '000000', { is_test: true })).rejects.toEqual(refusal('invalid_otp'))
    await request(SANDBOX_RIDER.phone)
    await expect(verify(SANDBOX_RIDER.phone, '000000')).rejects.toEqual(refusal('invalid_otp'))
    expect(phones.codesSentTo(SANDBOX_RIDER.phone)).toEqual([])
    // The test request has neither sent nor spoilt anything.
    await request(phone)
    await verify(phone, await phones.codeSentTo(phone))
  })
})

describe('the sandbox rider of nobody', () => {
  const OFTEN = 1_000
  const AT_ONCE = 20
  const nobody = riderCaller(SANDBOX_RIDER.id, { isTest: true })
  const rider_id = SANDBOX_RIDER.id

  async function often(act: () => Promise<unknown>): Promise<void> {
    let left = OFTEN
    const lane = async () => {
      while (left-- > 0) await act()
    }
    await Promise.all(Array.from({ length: AT_ONCE }, lane))
  }

  /** How many rows each table has. */
  async function rowsIn(sql: <Row extends object>(text: string) => Promise<Row[]>): Promise<Record<string, number>> {
    const tables = await sql<{ name: string }>(
      `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')
          AND has_table_privilege(oid, 'SELECT') ORDER BY 1`,
    )
    const counts = tables.map(({ name }) => `SELECT '${name}' AS name, count(*)::int AS rows FROM ${name}`)
    const counted = await sql<{ name: string; rows: number }>(counts.join(' UNION ALL '))
    return Object.fromEntries(counted.map(({ name, rows }) => [name, rows]))
  }
  const ofAdmin = async <Row extends object>(text: string): Promise<Row[]> =>
    (await mesh.admin.worker.query(text)).rows as Row[]
  const rows = async () => ({ dispatch: await rowsIn((text) => mesh.sql(text)), admin: await rowsIn(ofAdmin) })

  /** Has waited until what earlier tests made known has come in: rows of theirs are none of this rider's. */
  async function othersAreHeard(): Promise<void> {
    const ids = async (rows: Promise<{ event_id: string }[]>) => (await rows).map(({ event_id }) => event_id)
    const announced = (types: string) => `SELECT event_id FROM outbox WHERE type LIKE '${types}'`
    const heard = 'SELECT event_id FROM inbox'
    const audits = 'audit.recorded'
    const acts = [...(await ids(mesh.sql(announced(audits)))), ...(await ids(ofAdmin(announced(audits))))]
    const merchants = await ids(ofAdmin(announced('merchant.%')))
    await eventually(async () => {
      expect(await ids(ofAdmin(heard))).toEqual(expect.arrayContaining(acts))
      expect(await ids(mesh.sql(heard))).toEqual(expect.arrayContaining(merchants))
    })
  }

  const point = { lat: 6.45, lng: 3.39 }
  test.each<[string, () => Promise<unknown>]>([
    ['asks for a code', () => request(SANDBOX_RIDER.phone, true)],
    ['asks for a code of the live environment', () => request(SANDBOX_RIDER.phone)],
    [
      'logs in and refreshes',
      async () => {
        const { refresh_token } = await verify(SANDBOX_RIDER.phone, '000000', { is_test: true })
        await mesh.admin.credentials.as(visitor()).refreshToken({ refresh_token: refresh_token! })
      },
    ],
    ['says where it is', () => mesh.positions(nobody).recordPositions({ rider_id, points: [point] })],
    ['goes offline and online', () => mesh.riders(nobody).setRiderOnline({ rider_id, is_online: false })],
    [
      'proves its phone',
      async () => {
        await mesh.riders(nobody).requestRiderPhoneOtp({ rider_id })
        await mesh.riders(nobody).verifyRiderPhoneOtp({ rider_id, code: '000000' })
      },
    ],
    ['uploads a photo', () => mesh.proof(nobody).presignPodPhoto({ content_type: 'image/png', size_bytes: 16 })],
    ['calls for help', () => mesh.riders(nobody).raiseSos({ note: 'help', point })],
  ])('%s, a thousand times, and leaves no row', async (_what, act) => {
    await othersAreHeard()
    await act()
    const before = await rows()
    await often(act)
    expect(await rows()).toEqual(before)
  })

  test('has tokens for an hour and a day that a log-out does not end', async () => {
    const tokens = await verify(SANDBOX_RIDER.phone, '000000', { is_test: true })
    expect(tokens).toMatchObject({ expires_in: 3600, refresh_expires_in: 86_400 })
    const { access_token, refresh_token } = tokens
    expect(await sessionVerdict(access_token)).toBe('active')
    await mesh.admin.credentials.as(visitor()).logOut({ refresh_token: refresh_token! })
    const sessionId = decodeJwt(access_token).sid as string
    await mesh.admin.credentials.as({ ...nobody, sessionId }).logOut({})
    expect(await sessionVerdict(access_token)).toBe('active')
    const again = await mesh.admin.credentials.as(visitor()).refreshToken({ refresh_token: refresh_token! })
    expect(await sessionVerdict(again.tokens!.access_token)).toBe('active')
    expect(decodeJwt(again.tokens!.refresh_token).exp).toBe(decodeJwt(refresh_token!).exp)
    expect(decodeJwt(again.tokens!.access_token)).not.toHaveProperty('merchant_id')
  })

  test('uploads to one place, whatever it announces, and what is there may be replaced', async () => {
    const announce = (content_type: string, caller = nobody) =>
      mesh.proof(caller).presignPodPhoto({ content_type, size_bytes: 16 })
    const [png, jpeg] = [await announce('image/png'), await announce('image/jpeg')]
    expect(jpeg.storage_key).toBe(png.storage_key)
    expect(png.headers).not.toHaveProperty('If-None-Match')
    const [one, other] = [await signUp(mesh), await signUp(mesh)]
    const places = await Promise.all(
      [one, one, other].map(({ id }) => announce('image/png', { ...nobody, merchantId: id })),
    )
    expect(new Set([png, ...places].map(({ storage_key }) => storage_key)).size).toBe(3)
  })
})

describe('a merchant that mints a token', () => {
  const mint = async (caller: Parameters<typeof mesh.riders>[0], rider_id: string) =>
    (await mesh.riders(caller).mintRiderToken({ rider_id })).tokens!

  test('gets one for a shift, of its own fleet alone, bound to it and on the record', async () => {
    const { id: merchantId, live } = await signUp(mesh)
    const riderId = await insertRider(mesh, { merchantId })
    const tokens = await mint(live, riderId)
    expect(tokens).toMatchObject({
      expires_in: 43_200,
      refresh_token: undefined,
      is_sandbox: false,
      merchant_id: merchantId,
    })
    expect(await sessionVerdict(tokens.access_token)).toBe('active')
    const [audit] = await mesh.sql<{ payload: Buffer }>(
      "SELECT payload FROM outbox WHERE type = 'audit.recorded' AND merchant_id = $1",
      [merchantId],
    )
    expect(audit!.payload.toString()).toContain('rider_token.mint')

    // Its key was rotated while the request was under way.
    await expect(mint({ ...live, credentialEpoch: 7 }, riderId)).rejects.toEqual(refusal('unauthorized'))

    const strangers = [await insertRider(mesh), await insertRider(mesh, { merchantId: (await signUp(mesh)).id })]
    for (const other of [...strangers, SANDBOX_RIDER.id, 'nonsense'])
      await expect(mint(live, other)).rejects.toEqual(refusal('rider_not_found'))
  })

  test('with a test key reaches the sandbox rider alone', async () => {
    const { id: merchantId, caller } = await signUp(mesh)
    const tokens = await mint(caller, SANDBOX_RIDER.id)
    expect(tokens).toMatchObject({ is_sandbox: true, merchant_id: merchantId })
    expect(decodeJwt(tokens.access_token)).toMatchObject({ is_test: true, merchant_id: merchantId })
    const riderId = await insertRider(mesh, { merchantId })
    await expect(mint(caller, riderId)).rejects.toEqual(refusal('rider_not_found'))
  })

  test('needs the key itself: no token, no login, no rider', async () => {
    const caller = merchantCaller()
    const strangers = [
      { ...caller, sessionId: 's' },
      { ...caller, credential: 'user:x' },
      riderCaller(SANDBOX_RIDER.id),
      adminCaller(),
      visitor(),
    ]
    for (const stranger of strangers)
      await expect(mint(stranger, SANDBOX_RIDER.id)).rejects.toEqual(refusal('forbidden'))
  })
})
