import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { SANDBOX_RIDER } from '@svc/credentials'
import { type Caller, systemCaller } from '@svc/grpc'
import { adminCaller, eventually, merchantCaller } from '@svc/testing'
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
}, 60_000)
afterAll(() => phones.stop())

const invite = async (caller: Caller, expires_in_hours?: number) =>
  (await mesh.fleet(caller).createInviteCode({ expires_in_hours })).invite_code!
const redeem = (code: string, phone = newPhone()) =>
  mesh.fleet(visitor()).redeemFleetInvite({ code, name: 'Musa', phone })
const codesOf = async (caller: Caller) => (await mesh.fleet(caller).listInviteCodes({ limit: 50, offset: 0 })).items
const fleetOf = async (caller: Caller) => (await mesh.fleet(caller).listFleetRiders({ limit: 50, offset: 0 })).items
const riderOf = async (id: string) => (await mesh.riders(adminCaller()).getRider({ id })).rider!
const register = async (phone: string) => (await mesh.riders(visitor()).registerRider({ name: 'Musa', phone })).rider_id

async function logIn(phone: string): Promise<string> {
  const before = phones.codesSentTo(phone).length
  await mesh.riders(visitor()).requestRiderLogin({ phone, is_test: false })
  await eventually(() => expect(phones.codesSentTo(phone).length).toBeGreaterThan(before))
  const code = phones.codesSentTo(phone).at(-1)!
  const { tokens } = await mesh.riders(visitor()).verifyRiderLogin({ phone, code, is_test: false })
  return tokens!.access_token
}

async function verdictOn(token: string): Promise<string> {
  const { credential, sid } = decodeJwt(token) as { credential: string; sid: string }
  return (await mesh.admin.credentials.as(systemCaller('gateway')).verifySession({ credential, session_id: sid }))
    .verdict
}

describe('invite codes', () => {
  test('live 72 hours unless said and are seen by their merchant alone', async () => {
    const [one, other] = [merchantCaller(), merchantCaller()]
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
    await expect(invite(merchantCaller(), hours)).rejects.toEqual(
      refusal('validation_error', { field: 'expires_in_hours' }),
    )
  })

  test('revoked twice are revoked, leave the list and let nobody in', async () => {
    const caller = merchantCaller()
    const { id, code } = await invite(caller)
    await mesh.fleet(caller).revokeInviteCode({ id })
    await mesh.fleet(caller).revokeInviteCode({ id })
    expect(await codesOf(caller)).toEqual([])
    expect(await redeem(code)).toEqual({ ok: false })
    for (const unknown of [randomUUID(), 'nonsense'])
      await expect(mesh.fleet(caller).revokeInviteCode({ id: unknown })).rejects.toEqual(refusal('not_found'))
  })

  test('expire', async () => {
    const caller = merchantCaller()
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
    const caller = merchantCaller()
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
    const caller = merchantCaller()
    const { code } = await invite(caller)
    const answers = await Promise.all(Array.from({ length: 50 }, () => redeem(code)))
    expect(answers.filter(({ ok }) => ok)).toHaveLength(1)
    expect(await fleetOf(caller)).toHaveLength(1)
  })

  test('fifty codes redeemed at once by one phone make one rider of one fleet', async () => {
    const callers = Array.from({ length: 10 }, () => merchantCaller())
    const codes = await Promise.all(callers.map((caller) => invite(caller)))
    const phone = newPhone()
    const answers = await Promise.all(
      codes.map(({ code }) => redeem(code, phone).catch((error: { code: string }) => error.code)),
    )
    expect(answers.filter((answer) => typeof answer === 'object' && answer.ok)).toHaveLength(1)
    expect(answers.filter((answer) => answer === 'phone_in_use')).toHaveLength(9)
    // Who was refused has not spent the code.
    const left = await Promise.all(callers.map(codesOf))
    expect(left.flat()).toHaveLength(9)
  })

  test('by who is in the fleet already changes nothing and spends nothing', async () => {
    const caller = merchantCaller()
    const phone = newPhone()
    const first = await redeem((await invite(caller)).code, phone)
    const second = await invite(caller)
    expect(await redeem(second.code, phone)).toEqual(first)
    expect(await codesOf(caller)).toMatchObject([{ id: second.id }])
  })

  test('attaches a freelancer: the old tokens end, and the phone has to be proven again', async () => {
    const phone = newPhone()
    const id = await register(phone)
    const token = await logIn(phone)
    const { id: merchantId } = await signUp(mesh)
    const caller = merchantCaller({ merchantId, isTest: false })
    expect(await redeem((await invite(caller)).code, phone)).toEqual({
      ok: true,
      rider_id: id,
      merchant_id: merchantId,
    })
    expect(await verdictOn(token)).toBe('revoked')
    expect(await riderOf(id)).toMatchObject({
      rider_type: 'merchant_fleet',
      merchant_id: merchantId,
      phone_verified_at: undefined,
    })
    const facts = await mesh.sql(
      'SELECT type, aggregate_version AS v FROM outbox WHERE aggregate_id = $1 ORDER BY seq',
      [id],
    )
    expect(facts.map((fact) => (fact as { v: number }).v)).toEqual([1, 2, 3])

    // Knowing a freelancer's number is not being the freelancer.
    const unproven = refusal('forbidden', { reason: 'phone_not_verified' })
    await expect(mesh.riders(caller).mintRiderToken({ rider_id: id })).rejects.toEqual(unproven)
    await expect(mesh.riders(caller).requestRiderPhoneOtp({ rider_id: id, phone: newPhone() })).rejects.toEqual(
      unproven,
    )
    expect(decodeJwt(await logIn(phone))).toMatchObject({ merchant_id: merchantId })
    expect((await mesh.riders(caller).mintRiderToken({ rider_id: id })).tokens).toMatchObject({
      merchant_id: merchantId,
    })
  })

  test('leaves a freelancer with an order under way, and the sandbox rider, as they are', async () => {
    const caller = merchantCaller()
    const { code } = await invite(caller)
    const phone = newPhone()
    const id = await register(phone)
    await insertCarriedOrder(mesh, { merchantId: randomUUID(), riderId: id })
    await expect(redeem(code, phone)).rejects.toEqual(refusal('active_order'))
    await expect(redeem(code, SANDBOX_RIDER.phone)).rejects.toEqual(refusal('phone_in_use'))
    expect(await redeem(code)).toMatchObject({ ok: true })
  })

  test('names the field that is wrong', async () => {
    const { code } = await invite(merchantCaller())
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
    const caller = merchantCaller({ merchantId })
    const phone = newPhone()
    const { rider_id } = await redeem((await invite(caller)).code, phone)
    const id = rider_id!
    const token = await logIn(phone)
    expect(decodeJwt(token)).toMatchObject({ merchant_id: merchantId })

    await expect(mesh.fleet(merchantCaller()).removeFleetRider({ rider_id: id })).rejects.toEqual(refusal('not_found'))
    expect(await verdictOn(token)).toBe('active')
    await mesh.fleet(caller).removeFleetRider({ rider_id: id })
    expect(await verdictOn(token)).toBe('revoked')
    expect(await mesh.sql('SELECT * FROM token_revocations WHERE rider_id = $1', [id])).toEqual([])
    expect(await fleetOf(caller)).toEqual([])
    expect(await riderOf(id)).toMatchObject({ merchant_id: undefined, is_online: false })
    expect(decodeJwt(await logIn(phone))).not.toHaveProperty('merchant_id')
    await expect(mesh.fleet(caller).removeFleetRider({ rider_id: id })).rejects.toEqual(refusal('not_found'))
  })

  test('makes a freelancer of whoever registers afterwards; before that its phone is taken', async () => {
    const { id: merchantId } = await signUp(mesh)
    const caller = merchantCaller({ merchantId })
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
    const { id: merchantId } = await signUp(mesh)
    const caller = merchantCaller({ merchantId, isTest: false })
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
    const { rider_id } = await redeem((await invite(merchantCaller({ merchantId }))).code, phone)
    const token = await logIn(phone)
    // What is left when it dies right after its commit.
    await mesh.sql(
      "INSERT INTO token_revocations (rider_id, lease, lease_until) VALUES ($1, gen_random_uuid(), app_now() + interval '1 second')",
      [rider_id],
    )
    await eventually(async () => expect(await verdictOn(token)).toBe('revoked'))
    await eventually(async () =>
      expect(await mesh.sql('SELECT * FROM token_revocations WHERE rider_id = $1', [rider_id])).toEqual([]),
    )
  })

  test('an operator ends the tokens of anybody, and the version counts', async () => {
    const phone = newPhone()
    const id = await register(phone)
    const token = await logIn(phone)
    const revoke = (caller: Caller, rider_id = id) => mesh.riders(caller).revokeRiderTokens({ rider_id })
    await expect(revoke(merchantCaller())).rejects.toEqual(refusal('forbidden'))
    await expect(revoke(adminCaller({ permissions: ['admin.riders.read'] }))).rejects.toEqual(refusal('forbidden'))
    await expect(revoke(adminCaller(), randomUUID())).rejects.toEqual(refusal('not_found'))
    expect(await revoke(adminCaller())).toEqual({ token_version: 2 })
    expect(await verdictOn(token)).toBe('revoked')
    expect(await revoke(adminCaller())).toEqual({ token_version: 3 })
    expect(await verdictOn(await logIn(phone))).toBe('active')
  })
})
