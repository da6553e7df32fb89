import { expect, test } from '@jest/globals'
import { problemsOf } from '@svc/testing/problems-of'
import { readConfig } from './config.ts'

test('told only where its servers and peers are, the process does not start, and all that is missing is named at once', () => {
  const addresses = {
    ORDER_DATABASE_URL: 'postgres://app@db/order',
    ORDER_WORKER_URL: 'postgres://worker@db/order',
    KAFKA_BROKERS: 'kafka:9092',
    DISPATCH_GRPC_ADDRESS: 'dispatch:7000',
    WALLET_GRPC_ADDRESS: 'wallet:7000',
  }
  expect(problemsOf(readConfig, addresses)).toEqual(
    ['BILLING_ENFORCEMENT', 'CALLER_SECRET_ORDER_DISPATCH', 'CALLER_SECRET_ORDER_WALLET'].map(
      (name) => `${name}: is missing`,
    ),
  )
})
