import { randomBytes, randomUUID } from 'node:crypto'
import { describe, expect, test } from '@jest/globals'
import { accountToken, assertGood, idOfToken } from './account-token.ts'

const pepper = randomBytes(32)
const refused = expect.objectContaining({ code: 'invalid_token' })
const codeOf = (work: () => unknown) => {
  try {
    work()
    return 'good'
  } catch (error) {
    return (error as { code: string }).code
  }
}

describe('a token of a mail', () => {
  test('names its id, and is the same however often it is made', () => {
    const id = randomUUID()
    const token = accountToken([pepper], 'password_reset', id)
    expect(token).toMatch(/^[\w-]{64}$/)
    expect(accountToken([pepper], 'password_reset', id)).toBe(token)
    expect(idOfToken([pepper], 'password_reset', token)).toBe(id)
  })

  test('is good for one purpose, under one pepper, in one spelling', () => {
    const token = accountToken([pepper], 'email_verification', randomUUID())
    const other = token.endsWith('A') ? 'B' : 'A'
    expect(() => idOfToken([pepper], 'password_reset', token)).toThrow(refused)
    expect(() => idOfToken([randomBytes(32)], 'email_verification', token)).toThrow(refused)
    for (const text of [
      '',
      'x',
      `${token}=`,
      ` ${token}`,
      token.slice(1),
      `${token.slice(0, -1)}${other}`,
      'ä'.repeat(64),
    ])
      expect(() => idOfToken([pepper], 'email_verification', text)).toThrow(refused)
  })

  test('is good while the pepper that made it is named, in whatever place, and is made by the first', () => {
    const [id, next] = [randomUUID(), randomBytes(32)]
    const token = accountToken([pepper, next], 'password_reset', id)
    expect(token).toBe(accountToken([pepper], 'password_reset', id))
    expect(idOfToken([next, pepper], 'password_reset', token)).toBe(id)
    expect(() => idOfToken([next], 'password_reset', token)).toThrow(refused)
  })

  test('that was used is invalid also when its time is over, one whose time is over says so', () => {
    const row = { merchantId: 'm', userId: 'u', hasEnded: false, hasExpired: false }
    expect(codeOf(() => assertGood(row))).toBe('good')
    expect(codeOf(() => assertGood(undefined))).toBe('invalid_token')
    expect(codeOf(() => assertGood({ ...row, hasExpired: true }))).toBe('token_expired')
    expect(codeOf(() => assertGood({ ...row, hasEnded: true, hasExpired: true }))).toBe('invalid_token')
  })
})
