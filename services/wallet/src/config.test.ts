import { describe, expect, test } from '@jest/globals'
import { problemsOf } from '@svc/testing/problems-of'
import { readConfig } from './config.ts'

const env = {
  WALLET_DATABASE_URL: 'postgres://app@db/wallet',
  WALLET_WORKER_URL: 'postgres://worker@db/wallet',
  KAFKA_BROKERS: 'kafka:9092',
  ADMIN_GRPC_ADDRESS: 'none',
  MAIL_API_URL: 'none',
  BILLING_ENFORCEMENT: 'true',
  DISPATCH_GRPC_ADDRESS: 'none',
}
const production = { ...env, NODE_ENV: 'production' }

describe('a payment key', () => {
  test.each(['sk_live_0123456789', 'sk_test_0123456789'])('%s is one for production', (PAYMENTS_SECRET_KEY) => {
    expect(readConfig({ ...production, PAYMENTS_SECRET_KEY }).paymentsSecretKey).toBe(PAYMENTS_SECRET_KEY)
  })

  test('that does not tell its mode is refused in production, without being shown', () => {
    const start = () => readConfig({ ...production, PAYMENTS_SECRET_KEY: 'sk_local_0123456789' })
    expect(start).toThrow('PAYMENTS_SECRET_KEY: must begin with sk_live_ or sk_test_')
    expect(start).not.toThrow('0123456789')
  })

  test('is not needed where no money comes in or goes out', () => {
    expect(readConfig(production).paymentsSecretKey).toBeUndefined()
  })
})

test('told only where its servers and peers are, the process does not start, and all that is missing is named at once', () => {
  const addresses = {
    WALLET_DATABASE_URL: 'postgres://app@db/wallet',
    WALLET_WORKER_URL: 'postgres://worker@db/wallet',
    KAFKA_BROKERS: 'kafka:9092',
    ADMIN_GRPC_ADDRESS: 'admin:7000',
    DISPATCH_GRPC_ADDRESS: 'dispatch:7000',
  }
  expect(problemsOf(readConfig, addresses)).toEqual(
    ['MAIL_API_URL', 'BILLING_ENFORCEMENT', 'CALLER_SECRET_WALLET_ADMIN', 'CALLER_SECRET_WALLET_DISPATCH'].map(
      (name) => `${name}: is missing`,
    ),
  )
})
