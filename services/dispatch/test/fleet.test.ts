import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { SANDBOX_RIDER } from '@svc/credentials'
import { type Caller, systemCaller } from '@svc/grpc'
import { adminCaller, eventually, merchantCaller, onceAvailable, riderCaller } from '@svc/testing'
import { decodeJwt } from 'jose'
import { refusal } from '../../admin/test/start-admin.ts'
import { insertCarriedOrder } from './riders-fixture.ts'
import { signUp } from './sign-up.ts'
import { newPhone, type Phones, visitor, withPhones } from './with-phones.ts'

let phones: Phones
let mesh: Phones['mesh']
beforeAll(async () => {
  phones = await withPhones({ OTP_COOLDOWN_SECONDS: '0' })
  mesh = phones.mesh
})
afterAll(() => phones.stop())

const live = (merchantId: string = randomUUID()) => merchantCaller({ merchantId, isTest: false })
const invite = async (caller: Caller, expires_in_hours?: number) =>
  (await mesh.fleet(caller).createInviteCode({ expires_in_hours })).invite_code!
const redeem = (code: string, phone = newPhone()) =>
  mesh.fleet(visitor()).redeemFleetInvite({ code, name: 'Musa', phone })
const codesOf = async (caller: Caller) => (await mesh.fleet(caller).listInviteCodes({ limit: 50, offset: 0 })).items
const fleetOf = async (caller: Caller) => (await mesh.fleet(caller).listFleetRiders({ limit: 50, offset: 0 })).items
const riderOf = async (id: string) => (await mesh.riders(adminCaller()).getRider({ id })).rider!
const register = async (phone: string) => (await mesh.riders(visitor()).registerRider({ name: 'Musa', phone })).rider_id

async function logIn(phone: string): Promise<string> {
  const code = await codeAfter(phone, () => mesh.riders(visitor()).requestRiderLogin({ phone, is_test: false }))
  const { tokens } = await mesh.riders(visitor()).verifyRiderLogin({ phone, code, is_test: false })
  return tokens!.access_token
}

/** The code that the act has sent there. */
async function codeAfter(phone: string, act: () => Promise<unknown>): Promise<string> {
  const before = phones.codesSentTo(phone).length
  await act()
  await eventually(() => expect(phones.codesSentTo(phone).length).toBeGreaterThan(before))
  return phones.codesSentTo(phone).at(-1)!
}

const noticeTo = (phone: string, words: string) =>
  eventually(() => expect(phones.textsTo(phone)).toContainEqual(expect.stringContaining(words)))

const revocationsOf = (riderId: string) =>
  mesh.sql("SELECT state FROM intent WHERE kind = 'revoke_tokens' AND subject_id = $1", [riderId])

async function verdictOn(token: string): Promise<string> {
  const { credential, sid } = decodeJwt(token) as { credential: string; sid: string }
  return (await mesh.admin.credentials.as(systemCaller('gateway')).verifySession({ credential, session_id: sid }))
    .verdict
}

describe('invite codes', () => {
  test('live 72 hours unless said and are seen by their merchant alone', async () => {
    const [one, other] = [live(), live()]
    const made = await invite(one)
    expect(made.code).toMatch(/^[A-HJ-NP-Z2-9]{8}$/)
    expect(Date.parse(made.expires_at!) - Date.parse(made.created_at!)).toBe(72 * 3_600_000)
    const short = await invite(one, 1)
    expect(new Set((await codesOf(one)).map(({ id }) => id))).toEqual(new Set([short.id, made.id]))
    expect(await codesOf(other)).toEqual([])
    await expect(mesh.fleet(other).revokeInviteCode({ id: made.id })).rejects.toEqual(refusal('not_found'))
    expect(await redeem(made.code)).toMatchObject({ ok: true, merchant_id: one.merchantId })
  })

  test.each([0, -1, 721, 2 ** 31 - 1])('do not live %i hours', async (hours) => {
    await expect(invite(live(), hours)).rejects.toEqual(refusal('validation_error', { field: 'expires_in_hours' }))
  })

  test('revoked twice are revoked, leave the list and let nobody in', async () => {
    const caller = live()
    const { id, code } = await invite(caller)
    await mesh.fleet(caller).revokeInviteCode({ id })
    await mesh.fleet(caller).revokeInviteCode({ id })
    expect(await codesOf(caller)).toEqual([])
    expect(await redeem(code)).toEqual({ ok: false })
    for (const unknown of [randomUUID(), 'nonsense'])
      await expect(mesh.fleet(caller).revokeInviteCode({ id: unknown })).rejects.toEqual(refusal('not_found'))
  })

  test('expire', async () => {
    const caller = live()
    const { code } = await invite(caller, 1)
    try {
      await mesh.database.shiftClock(3_600_001)
      expect(await redeem(code)).toEqual({ ok: false })
      expect(await codesOf(caller)).toEqual([])
    } finally {
      await mesh.database.shiftClock(0)
    }
  })

  test('belong to merchants: operators, riders and visitors have none', async () => {
    for (const caller of [visitor(), adminCaller()]) {
      await expect(invite(caller)).rejects.toEqual(refusal('forbidden'))
      await expect(fleetOf(caller)).rejects.toEqual(refusal('forbidden'))
    }
  })
})

describe('redeeming', () => {
  test('makes a rider of the fleet, by a code typed in any case; the code is spent', async () => {
    const caller = live()
    const { code } = await invite(caller)
    const phone = newPhone()
    const joined = await redeem(` ${code.toLowerCase()} `, phone)
    expect(joined).toMatchObject({ ok: true, merchant_id: caller.merchantId })
    const expected = {
      id: joined.rider_id,
      rider_type: 'merchant_fleet',
      phone,
      kyc_status: 'pending',
      is_online: false,
    }
    expect(await fleetOf(caller)).toMatchObject([expected])
    expect(await codesOf(caller)).toEqual([])
    expect(await redeem(code)).toEqual({ ok: false })
    expect(await redeem('AAAAAAAA')).toEqual({ ok: false })
    expect(await redeem('')).toEqual({ ok: false })
  })

  test('fifty who redeem one code at once make one rider', async () => {
    const caller = live()
    const { code } = await invite(caller)
    const answers = await Promise.all(Array.from({ length: 50 }, () => onceAvailable(() => redeem(code))))
    expect(answers.filter(({ ok }) => ok)).toHaveLength(1)
    expect(await fleetOf(caller)).toHaveLength(1)
  })

  test('fifty codes redeemed at once by one phone make one rider of one fleet', async () => {
    const callers = Array.from({ length: 10 }, () => live())
    const codes = await Promise.all(callers.map((caller) => invite(caller)))
    const phone = newPhone()
    const answers = await Promise.all(
      codes.map(({ code }) => onceAvailable(() => redeem(code, phone)).catch((error: { code: string }) => error.code)),
    )
    expect(answers.filter((answer) => typeof answer === 'object' && answer.ok)).toHaveLength(1)
    expect(answers.filter((answer) => answer === 'phone_in_use')).toHaveLength(9)
    // Who was refused has not spent the code.
    const left = await Promise.all(callers.map(codesOf))
    expect(left.flat()).toHaveLength(9)
  })

  test('by who is in the fleet already changes nothing and spends nothing', async () => {
    const caller = live()
    const phone = newPhone()
    const first = await redeem((await invite(caller)).code, phone)
    const second = await invite(caller)
    expect(await redeem(second.code, phone)).toEqual(first)
    expect(await codesOf(caller)).toMatchObject([{ id: second.id }])
  })

  test('attaches at once a freelancer who has proven nothing; only the rider speaks for it until it has', async () => {
    const phone = newPhone()
    const id = await register(phone)
    const { id: merchantId, live } = await signUp(mesh)
    const joined = { ok: true, rider_id: id, merchant_id: merchantId, membership: 'active' }
    expect(await redeem((await invite(live)).code, phone)).toEqual(joined)
    expect(await riderOf(id)).toMatchObject({ rider_type: 'merchant_fleet', merchant_id: merchantId })
    await noticeTo(phone, 'You now ride for')

    // Knowing a freelancer's number is not being the freelancer.
    const unproven = refusal('forbidden', { reason: 'phone_not_verified' })
    await expect(mesh.riders(live).mintRiderToken({ rider_id: id })).rejects.toEqual(unproven)
    const move = { rider_id: id, phone: newPhone() }
    const notYours = refusal('forbidden', { reason: 'rider_login_required' })
    await expect(mesh.riders(live).requestRiderPhoneOtp(move)).rejects.toEqual(notYours)
    expect(decodeJwt(await logIn(phone))).toMatchObject({ merchant_id: merchantId })
    expect((await mesh.riders(live).mintRiderToken({ rider_id: id })).tokens).toMatchObject({ merchant_id: merchantId })
  })

  describe('for a phone that its rider has proven', () => {
    /** A freelancer with a token of its own, and a business that would have it. */
    async function wooed() {
      const phone = newPhone()
      const id = await register(phone)
      const token = await logIn(phone)
      const { id: merchantId, live } = await signUp(mesh)
      return { phone, id, token, merchantId, live, code: (await invite(live)).code }
    }
    const redeemWith = (code: string, phone: string, otp: string) =>
      mesh.fleet(visitor()).redeemFleetInvite({ code, name: 'Musa', phone, otp })
    const historyOf = (caller: Caller, rider_id: string) =>
      mesh.positions(caller).listPositionHistory({ rider_id, limit: 0, order: 'desc' })
    const report = (id: string, lat: number) =>
      mesh.positions(riderCaller(id)).recordPositions({ rider_id: id, points: [{ lat, lng: 3 }] })

    test('changes nothing until a code that was sent there comes back', async () => {
      const { phone, id, token, merchantId, live, code } = await wooed()
      await report(id, 6)
      const before = await riderOf(id)
      const pending = { ok: true, rider_id: id, merchant_id: merchantId, membership: 'pending' }
      const otp = await codeAfter(phone, async () => expect(await redeem(code, phone)).toEqual(pending))
      expect(phones.textsTo(phone).at(-1)).toMatch(/join the fleet of Merchant/)
      expect(await riderOf(id)).toEqual(before)
      expect(await verdictOn(token)).toBe('active')
      expect(await fleetOf(live)).toEqual([])
      await expect(historyOf(live, id)).rejects.toEqual(refusal('rider_not_found'))
      await expect(mesh.riders(live).mintRiderToken({ rider_id: id })).rejects.toEqual(refusal('rider_not_found'))
      // To log in proves the phone, and says yes to nobody.
      const later = await logIn(phone)
      expect(decodeJwt(later)).not.toHaveProperty('merchant_id')
      expect(await riderOf(id)).toMatchObject({ rider_type: 'freelancer', merchant_id: undefined })

      await expect(redeemWith(code, phone, otp === '123456' ? '654321' : '123456')).rejects.toEqual(
        refusal('invalid_otp', { attempts_left: 4 }),
      )
      expect(await redeemWith(code, phone, otp)).toEqual({ ...pending, membership: 'active' })
      expect(await verdictOn(later)).toBe('revoked')
      expect(await fleetOf(live)).toMatchObject([{ id, merchant_id: merchantId, last_location: undefined }])
      expect(await redeemWith(code, phone, otp)).toEqual({ ok: false })
      await noticeTo(phone, 'You now ride for')
      // What was before is the rider's own.
      expect((await historyOf(live, id)).items).toEqual([])
      await report(id, 7)
      expect((await historyOf(live, id)).items).toMatchObject([{ lat: 7 }])
    })

    test('holds the code for that rider, for a day and no longer', async () => {
      const { phone, id, code, live } = await wooed()
      await redeem(code, phone)
      const other = newPhone()
      expect(await redeem(code, other)).toEqual({ ok: false })
      expect(await redeem(code, phone)).toMatchObject({ ok: true, rider_id: id, membership: 'pending' })
      try {
        await mesh.database.shiftClock(24 * 3_600_000 + 1_000)
        expect(await redeem(code, other)).toMatchObject({ ok: true, membership: 'active' })
      } finally {
        await mesh.database.shiftClock(0)
      }
      expect(await fleetOf(live)).toMatchObject([{ phone: other }])
    })

    test('ten who bring the right code at once join once', async () => {
      const { phone, id, code, live } = await wooed()
      const otp = await codeAfter(phone, () => redeem(code, phone))
      const answers = await Promise.all(
        Array.from({ length: 10 }, () => redeemWith(code, phone, otp).catch(() => ({ ok: false }))),
      )
      expect(answers.filter(({ ok }) => ok)).toHaveLength(1)
      expect(await fleetOf(live)).toMatchObject([{ id }])
    })

    test('a code sent for one business is none for another, nor for a log-in', async () => {
      const { phone, id, code } = await wooed()
      const { live: rival } = await signUp(mesh)
      const rivals = (await invite(rival)).code
      const otp = await codeAfter(phone, () => redeem(code, phone))
      const rivalOtp = await codeAfter(phone, () => redeem(rivals, phone))
      if (otp !== rivalOtp) await expect(redeemWith(rivals, phone, otp)).rejects.toEqual(refusal('invalid_otp'))
      await expect(mesh.riders(visitor()).verifyRiderLogin({ phone, code: otp, is_test: false })).rejects.toEqual(
        refusal('invalid_otp'),
      )
      expect(await riderOf(id)).toMatchObject({ merchant_id: undefined })
    })

    test('an order that was taken meanwhile is finished first, and the code stays good', async () => {
      const { phone, id, code } = await wooed()
      const otp = await codeAfter(phone, () => redeem(code, phone))
      const orderId = await insertCarriedOrder(mesh, { merchantId: randomUUID(), riderId: id })
      await expect(redeemWith(code, phone, otp)).rejects.toEqual(refusal('active_order'))
      await mesh.sql('DELETE FROM rider_active WHERE order_id = $1', [orderId])
      expect(await redeemWith(code, phone, otp)).toMatchObject({ ok: true, membership: 'active' })
    })

    test('the rider leaves when it wants to, is a freelancer again, and its tokens of the fleet end', async () => {
      const { phone, id, code, live } = await wooed()
      const otp = await codeAfter(phone, () => redeem(code, phone))
      await redeemWith(code, phone, otp)
      const token = await logIn(phone)
      const minted = (await mesh.riders(live).mintRiderToken({ rider_id: id })).tokens!.access_token
      await mesh.fleet(riderCaller(id)).leaveFleet({})
      expect(await riderOf(id)).toMatchObject({ rider_type: 'freelancer', merchant_id: undefined, is_online: false })
      expect([await verdictOn(token), await verdictOn(minted)]).toEqual(['revoked', 'revoked'])
      expect(await fleetOf(live)).toEqual([])
      await expect(historyOf(live, id)).rejects.toEqual(refusal('rider_not_found'))
      await expect(mesh.fleet(riderCaller(id)).leaveFleet({})).rejects.toEqual(refusal('not_found'))
      await expect(mesh.fleet(live).leaveFleet({})).rejects.toEqual(refusal('forbidden'))
    })
  })

  test('leaves a freelancer with an order under way, and the sandbox rider, as they are', async () => {
    const caller = live()
    const { code } = await invite(caller)
    const phone = newPhone()
    const id = await register(phone)
    await insertCarriedOrder(mesh, { merchantId: randomUUID(), riderId: id })
    await expect(redeem(code, phone)).rejects.toEqual(refusal('active_order'))
    await expect(redeem(code, SANDBOX_RIDER.phone)).rejects.toEqual(refusal('phone_in_use'))
    expect(await redeem(code)).toMatchObject({ ok: true })
  })

  test('names the field that is wrong', async () => {
    const { code } = await invite(live())
    const request = { code, name: 'Musa', phone: newPhone() }
    for (const [changes, field] of [
      [{ phone: '12' }, 'phone'],
      [{ name: '' }, 'name'],
      [{ vehicle_type: 'bike' }, 'vehicle_type'],
    ] as const)
      await expect(mesh.fleet(visitor()).redeemFleetInvite({ ...request, ...changes })).rejects.toEqual(
        refusal('validation_error', { field }),
      )
  })
})

describe('leaving the fleet', () => {
  test("takes the merchant's own rider out and ends its tokens", async () => {
    const { id: merchantId } = await signUp(mesh)
    const caller = live(merchantId)
    const phone = newPhone()
    const { rider_id } = await redeem((await invite(caller)).code, phone)
    const id = rider_id!
    const token = await logIn(phone)
    expect(decodeJwt(token)).toMatchObject({ merchant_id: merchantId })

    await expect(mesh.fleet(live()).removeFleetRider({ rider_id: id })).rejects.toEqual(refusal('not_found'))
    expect(await verdictOn(token)).toBe('active')
    await mesh.fleet(caller).removeFleetRider({ rider_id: id })
    expect(await verdictOn(token)).toBe('revoked')
    expect(await revocationsOf(id)).toEqual([{ state: 'applied' }])
    expect(await fleetOf(caller)).toEqual([])
    expect(await riderOf(id)).toMatchObject({ merchant_id: undefined, is_online: false })
    expect(decodeJwt(await logIn(phone))).not.toHaveProperty('merchant_id')
    await expect(mesh.fleet(caller).removeFleetRider({ rider_id: id })).rejects.toEqual(refusal('not_found'))
  })

  test('makes a freelancer of whoever registers afterwards; before that its phone is taken', async () => {
    const { id: merchantId } = await signUp(mesh)
    const caller = live(merchantId)
    const phone = newPhone()
    const { rider_id } = await redeem((await invite(caller)).code, phone)
    const id = rider_id!
    const before = await riderOf(id)
    await expect(register(phone)).rejects.toEqual(refusal('phone_in_use'))
    expect(await riderOf(id)).toEqual(before)
    await mesh.fleet(caller).removeFleetRider({ rider_id: id })
    expect(await register(phone)).toBe(id)
    expect(await riderOf(id)).toMatchObject({ rider_type: 'freelancer', merchant_id: undefined, is_online: false })
    const { version } = await riderOf(id)
    expect(await register(phone)).toBe(id)
    expect((await riderOf(id)).version).toBe(version)
  })

  test('beside a login hands out no token that outlives it', async () => {
    const { live: caller } = await signUp(mesh)
    for (let round = 0; round < 10; round++) {
      const { rider_id } = await redeem((await invite(caller)).code)
      const mint = () => mesh.riders(caller).mintRiderToken({ rider_id: rider_id! })
      const [, ...minted] = await Promise.all([
        mesh.fleet(caller).removeFleetRider({ rider_id: rider_id! }),
        ...Array.from({ length: 5 }, () => mint().catch(() => null)),
      ])
      for (const answer of minted) if (answer) expect(await verdictOn(answer.tokens!.access_token)).toBe('revoked')
    }
  })

  test('tokens end even where the process died between the two: another takes the intention over', async () => {
    const { id: merchantId } = await signUp(mesh)
    const phone = newPhone()
    const { rider_id } = await redeem((await invite(live(merchantId))).code, phone)
    const token = await logIn(phone)
    // What is left when it dies right after its commit.
    await mesh.sql(
      `INSERT INTO intent (id, merchant_id, kind, subject_id, attempt, payload, state, next_at)
       VALUES (gen_random_uuid(), $2, 'revoke_tokens', $1, 1, '{}', 'pending', app_now() + interval '1 second')`,
      [rider_id, merchantId],
    )
    await eventually(async () => expect(await verdictOn(token)).toBe('revoked'))
    await eventually(async () => expect(await revocationsOf(rider_id!)).toEqual([{ state: 'applied' }]))
  })

  test('an operator ends the tokens of anybody, and the version counts', async () => {
    const phone = newPhone()
    const id = await register(phone)
    const token = await logIn(phone)
    const revoke = (caller: Caller, rider_id = id) => mesh.riders(caller).revokeRiderTokens({ rider_id })
    await expect(revoke(live())).rejects.toEqual(refusal('forbidden'))
    await expect(revoke(adminCaller({ permissions: ['admin.riders.read'] }))).rejects.toEqual(refusal('forbidden'))
    await expect(revoke(adminCaller(), randomUUID())).rejects.toEqual(refusal('not_found'))
    expect(await revoke(adminCaller())).toEqual({ token_version: 2 })
    expect(await verdictOn(token)).toBe('revoked')
    expect(await revoke(adminCaller())).toEqual({ token_version: 3 })
    expect(await verdictOn(await logIn(phone))).toBe('active')
  })
})
