import { expect, test } from '@jest/globals'
import { callerSecretFromEnv, callerSecretsFromEnv, peerSecretFromEnv } from './caller-secrets.ts'

const A = 'a'.repeat(32)
const B = 'b'.repeat(32)
const C = 'c'.repeat(32)
const env = {
  CALLER_SECRET_GATEWAY_ORDER: `${A}, ${B}`,
  CALLER_SECRET_DISPATCH_ORDER: C,
  CALLER_SECRET_WEBHOOK_ORDER: C,
  CALLER_SECRET_GATEWAY_WEBHOOK: A,
  CALLER_SECRET_REORDER: A,
}

test('a service accepts the current and the previous secret of each process that is to call it, and of no other', () => {
  expect(callerSecretsFromEnv('order', env)).toEqual({ gateway: [A, B], dispatch: [C] })
})

test('a process signs with the current secret', () => {
  expect(callerSecretFromEnv('gateway', 'order', env)).toBe(A)
})

test('a missing or guessable secret stops the process, and its value is not told', () => {
  expect(() => callerSecretFromEnv('admin', 'order', env)).toThrow('CALLER_SECRET_ADMIN_ORDER')
  const weak = { CALLER_SECRET_GATEWAY_ORDER: `${A},hunter2` }
  expect(() => callerSecretsFromEnv('order', weak)).toThrow(/^(?!.*hunter2).*CALLER_SECRET_GATEWAY_ORDER/s)
})

test('a peer that is switched off by name needs no secret, one that was forgotten does', () => {
  expect(peerSecretFromEnv('admin', 'order', { ORDER_GRPC_ADDRESS: 'none' })).toBeUndefined()
  expect(() => peerSecretFromEnv('admin', 'order', {})).toThrow('CALLER_SECRET_ADMIN_ORDER: is missing')
})
