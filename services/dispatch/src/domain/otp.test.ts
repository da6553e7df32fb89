import { describe, expect, test } from '@jest/globals'
import type { Peppers } from '@svc/credentials'
import fc from 'fast-check'
import { codeHmac, isCode, judgeTry, mintCode, OTP_MAX_TRIES, type Otp, otpCooldown, SANDBOX_CODE } from './otp.ts'

const now = new Date('2026-01-01T00:00:00Z')
const after = (ms: number) => new Date(now.getTime() + ms)
const otp = (overrides: Partial<Otp> = {}): Otp => ({
  subjectId: '+2348031234567',
  id: 'a',
  phone: '+2348031234567',
  codeHmac: Buffer.alloc(32),
  attempts: 0,
  resendAt: after(60_000),
  expiresAt: after(600_000),
  usedAt: null,
  ...overrides,
})
const right = () => true
const wrong = () => false

describe('a try', () => {
  test('with the right code succeeds as long as fewer than five wrong ones came before', () => {
    for (let attempts = 0; attempts < OTP_MAX_TRIES; attempts++)
      expect(judgeTry(otp({ attempts }), right, now).ok).toBe(true)
    expect(judgeTry(otp({ attempts: OTP_MAX_TRIES }), right, now)).toMatchObject({
      ok: false,
      counts: false,
      refusal: { code: 'otp_locked', retryAfterSeconds: 60 },
    })
  })

  test('with a wrong code counts and says how many are left', () => {
    const left = [0, 1, 2, 3, 4].map((attempts) => judgeTry(otp({ attempts }), wrong, now))
    expect(left).toEqual(
      [4, 3, 2, 1, 0].map((attempts_left) =>
        expect.objectContaining({
          counts: true,
          refusal: expect.objectContaining({ code: 'invalid_otp', details: { attempts_left } }),
        }),
      ),
    )
  })

  test('with the right code is refused at the moment of expiry, and after its use', () => {
    expect(judgeTry(otp(), right, after(599_999)).ok).toBe(true)
    expect(judgeTry(otp(), right, after(600_000))).toMatchObject({ refusal: { code: 'otp_expired' } })
    expect(judgeTry(otp({ usedAt: now }), right, now)).toMatchObject({ refusal: { code: 'invalid_otp' } })
    expect(judgeTry(null, right, now)).toMatchObject({ refusal: { code: 'invalid_otp' } })
  })

  test('is never right when it is wrong, whatever the state of the code', () => {
    fc.assert(
      fc.property(fc.nat(10), fc.integer({ min: -1e6, max: 1e6 }), fc.boolean(), (attempts, ms, isUsed) => {
        const state = otp({ attempts, expiresAt: after(ms), usedAt: isUsed ? now : null })
        expect(judgeTry(state, wrong, now).ok).toBe(false)
      }),
    )
  })
})

test('a call that began before the one it lost to waits no longer than the cooldown', () => {
  expect(otpCooldown(after(60_000), after(-900), 60)).toMatchObject({ retryAfterSeconds: 60 })
  expect(otpCooldown(after(60_000), after(30_500), 60)).toMatchObject({ retryAfterSeconds: 30 })
  expect(otpCooldown(after(0), after(-900), 0)).toMatchObject({ retryAfterSeconds: 1 })
})

describe('a code', () => {
  test('has six digits, and all of them occur everywhere', () => {
    const codes = Array.from({ length: 2_000 }, mintCode)
    for (const code of codes) expect(code).toMatch(/^\d{6}$/)
    for (let place = 0; place < 6; place++) expect(new Set(codes.map((code) => code[place])).size).toBe(10)
  })

  test('is kept under its id and the pepper: the same code of another id or pepper looks different', () => {
    const pepper = Buffer.alloc(32, 1)
    const kept = codeHmac([pepper], 'a', SANDBOX_CODE)
    expect(codeHmac([pepper], 'a', SANDBOX_CODE)).toEqual(kept)
    expect(codeHmac([pepper], 'b', SANDBOX_CODE)).not.toEqual(kept)
    expect(codeHmac([Buffer.alloc(32, 2)], 'a', SANDBOX_CODE)).not.toEqual(kept)
    expect(kept.includes(SANDBOX_CODE)).toBe(false)
  })
})

test('a code is right by the pepper that made it as long as that is named, in whatever place', () => {
  const [old, fresh] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)]
  const sent = otp({ codeHmac: codeHmac([old, fresh], 'a', '123456') })
  for (const peppers of [[old], [old, fresh], [fresh, old]] satisfies Peppers[]) {
    expect(isCode(peppers, sent, '123456')).toBe(true)
    expect(isCode(peppers, sent, '123457')).toBe(false)
  }
  expect(isCode([fresh], sent, '123456')).toBe(false)
  expect(isCode([fresh], otp({ codeHmac: codeHmac([fresh, old], 'a', '123456') }), '123456')).toBe(true)
})
