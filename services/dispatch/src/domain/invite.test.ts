import { expect, test } from '@jest/globals'
import { isActive, lifetimeHours, mintInviteCode, typedCode } from './invite.ts'

test('codes have eight characters that nobody mistakes for each other, all of them used', () => {
  const codes = Array.from({ length: 2_000 }, mintInviteCode)
  for (const code of codes) expect(code).toMatch(/^[A-HJ-NP-Z2-9]{8}$/)
  expect(new Set(codes.join('')).size).toBe(32)
  expect(new Set(codes).size).toBe(codes.length)
})

test('a code may be typed in any case and with spaces', () => {
  expect(typedCode(' abcd efgh ')).toBe('ABCDEFGH')
})

test('lives 72 hours unless said, a whole number from 1 to 720', () => {
  expect([lifetimeHours(), lifetimeHours(1), lifetimeHours(720)]).toEqual([72, 1, 720])
  for (const hours of [0, -1, 721, 1.5, Number.NaN])
    expect(() => lifetimeHours(hours)).toThrow(expect.objectContaining({ code: 'validation_error' }))
})

test('only a code that is neither revoked nor used nor expired lets anybody in', () => {
  const now = new Date()
  const code = {
    id: 'i',
    merchantId: 'm',
    code: 'ABCDEFGH',
    expiresAt: new Date(now.getTime() + 1),
    revokedAt: null,
    redeemedAt: null,
    heldFor: null,
    heldUntil: null,
    createdAt: now,
  }
  expect(isActive(code, now)).toBe(true)
  expect(isActive({ ...code, expiresAt: now }, now)).toBe(false)
  expect(isActive({ ...code, revokedAt: now }, now)).toBe(false)
  expect(isActive({ ...code, redeemedAt: now }, now)).toBe(false)
})
