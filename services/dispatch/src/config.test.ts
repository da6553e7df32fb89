import { expect, test } from '@jest/globals'
import { problemsOf } from '@svc/testing/problems-of'
import { readConfig } from './config.ts'

test('told only where its servers and peers are, the process does not start, and all that is missing is named at once', () => {
  const addresses = {
    DISPATCH_DATABASE_URL: 'postgres://app@db/dispatch',
    DISPATCH_WORKER_URL: 'postgres://worker@db/dispatch',
    KAFKA_BROKERS: 'kafka:9092',
    REDIS_URL: 'redis://redis',
    ORDER_GRPC_ADDRESS: 'order:7000',
    ADMIN_GRPC_ADDRESS: 'admin:7000',
  }
  expect(problemsOf(readConfig, addresses)).toEqual(
    [
      'WALLET_GRPC_ADDRESS',
      'OTP_PEPPER',
      'MESSAGING_API_URL',
      'SOS_PHONES',
      'BILLING_ENFORCEMENT',
      'CALLER_SECRET_DISPATCH_ORDER',
      'CALLER_SECRET_DISPATCH_ADMIN',
      'CALLER_SECRET_DISPATCH_WALLET',
    ].map((name) => `${name}: is missing`),
  )
})
