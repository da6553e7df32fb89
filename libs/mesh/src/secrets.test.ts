import { createPrivateKey, createPublicKey, sign, verify } from 'node:crypto'
import { expect, test } from '@jest/globals'
import { parseApiKey } from '@svc/credentials'
import { secretsFrom } from './secrets.ts'

test('the same seed gives the same keys at every start, another seed gives others', () => {
  const keys = (seed: string) => [
    secretsFrom(seed).testApiKey,
    secretsFrom(seed).merchantId,
    secretsFrom(seed).tokenSigningJwk,
  ]
  expect(keys('one')).toEqual(keys('one'))
  expect(keys('one')).not.toEqual(keys('two'))
})

test('the demo keys are well-formed keys of their environments', () => {
  const { testApiKey, liveApiKey } = secretsFrom('seed')
  expect(parseApiKey(testApiKey)?.isTest).toBe(true)
  expect(parseApiKey(liveApiKey)?.isTest).toBe(false)
})

test('no two uses share a secret', () => {
  const secrets = secretsFrom('seed')
  const all = [
    secrets.superuserPassword,
    secrets.rolePassword('order', 'app'),
    secrets.rolePassword('order', 'worker'),
    secrets.callerSecret('gateway', 'order'),
    secrets.callerSecret('order', 'gateway'),
    secrets.adminStaticToken,
    secrets.ownerPassword,
  ]
  expect(new Set(all).size).toBe(all.length)
})

test('the token key signs, and its public half verifies', () => {
  const jwk = secretsFrom('seed').tokenSigningJwk
  const signature = sign(null, Buffer.from('token'), createPrivateKey({ key: jwk, format: 'jwk' }))
  const { d: _, ...publicJwk } = jwk
  expect(verify(null, Buffer.from('token'), createPublicKey({ key: publicJwk, format: 'jwk' }), signature)).toBe(true)
})
