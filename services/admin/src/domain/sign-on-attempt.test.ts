import { randomUUID } from 'node:crypto'
import { describe, expect, test } from '@jest/globals'
import type { Peppers } from '@svc/credentials'
import { type Audience, attemptOf, secretOf, signOnAttempt } from './sign-on-attempt.ts'

const pepper = Buffer.alloc(32, 1)
const begun = (audience: Audience = 'merchant') => ({
  audience,
  id: randomUUID(),
  expiresAt: new Date(1_900_000_000_000),
})

describe('a log-in at an identity provider', () => {
  test('is computed again from what the browser keeps', () => {
    const named = begun()
    const next = Buffer.alloc(32, 2)
    for (const peppers of [[pepper], [pepper, next], [next, pepper]] satisfies Peppers[])
      expect(attemptOf(peppers, 'merchant', secretOf(pepper, named))).toEqual(signOnAttempt(pepper, named))
  })

  test('shows neither the browser nor the provider what the other keeps', () => {
    const named = begun()
    const { state, nonce, verifier } = signOnAttempt(pepper, named)
    expect(new Set([state, nonce, verifier, secretOf(pepper, named).split('.')[2]]).size).toBe(4)
    // As PKCE wants it.
    expect(verifier).toMatch(/^[\w-]{43,128}$/)
  })

  test('of another audience, pepper, id or time is none', () => {
    const secret = secretOf(pepper, begun())
    const [id, seconds, digest] = secret.split('.')
    expect(attemptOf([pepper], 'operator', secret)).toBeUndefined()
    expect(attemptOf([Buffer.alloc(32, 2)], 'merchant', secret)).toBeUndefined()
    for (const other of [
      '',
      'x',
      `${randomUUID()}.${seconds}.${digest}`,
      `${id}.${Number(seconds) + 1}.${digest}`,
      `${secret}x`,
    ])
      expect(attemptOf([pepper], 'merchant', other)).toBeUndefined()
  })
})
