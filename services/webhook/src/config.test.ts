import { describe, expect, test } from '@jest/globals'
import { problemsOf } from '@svc/testing/problems-of'
import { readConfig } from './config.ts'

const env = {
  WEBHOOK_DATABASE_URL: 'postgres://app@db/webhook',
  ADMIN_GRPC_ADDRESS: 'none',
  MAIL_API_URL: 'none',
  WEBHOOK_WORKER_URL: 'postgres://worker@db/webhook',
  KAFKA_BROKERS: 'kafka:9092',
  KEY_ENCRYPTION_KEY: `k2:${Buffer.alloc(32, 2).toString('base64')},k1:${Buffer.alloc(32, 1).toString('base64')}`,
}

describe('the configuration', () => {
  test('needs no more than the servers and a key', () => {
    const config = readConfig(env)
    expect(config).toMatchObject({ outboundWebhookMaxAttempts: 5, webhookAllowLocal: false, deliveryLease: 30_000 })
    expect(config.keyEncryptionKey.map(({ id }) => id)).toEqual(['k2', 'k1'])
  })

  test.each([
    ['local receivers in production', { NODE_ENV: 'production', WEBHOOK_ALLOW_LOCAL: 'true' }, 'WEBHOOK_ALLOW_LOCAL'],
    ['a lease that an attempt outlasts', { DELIVERY_LEASE: '10s' }, 'DELIVERY_LEASE'],
    ['fewer than five attempts', { OUTBOUND_WEBHOOK_MAX_ATTEMPTS: '4' }, 'OUTBOUND_WEBHOOK_MAX_ATTEMPTS'],
    ['more than twenty attempts', { OUTBOUND_WEBHOOK_MAX_ATTEMPTS: '21' }, 'OUTBOUND_WEBHOOK_MAX_ATTEMPTS'],
    ['a network without its length', { WEBHOOK_REFUSED_NETWORKS: '10.1.1.1' }, 'WEBHOOK_REFUSED_NETWORKS'],
    ['a short key', { KEY_ENCRYPTION_KEY: 'k1:AAAA' }, 'KEY_ENCRYPTION_KEY'],
  ])('refuses %s at the start, naming the variable', (_, wrong, name) => {
    expect(() => readConfig({ ...env, ...wrong })).toThrow(name)
  })
})

test('told only where its servers and peers are, the process does not start, and all that is missing is named at once', () => {
  const addresses = {
    WEBHOOK_DATABASE_URL: 'postgres://app@db/webhook',
    WEBHOOK_WORKER_URL: 'postgres://worker@db/webhook',
    KAFKA_BROKERS: 'kafka:9092',
    ADMIN_GRPC_ADDRESS: 'admin:7000',
  }
  expect(problemsOf(readConfig, addresses)).toEqual(
    ['KEY_ENCRYPTION_KEY', 'MAIL_API_URL', 'CALLER_SECRET_WEBHOOK_ADMIN'].map((name) => `${name}: is missing`),
  )
})
