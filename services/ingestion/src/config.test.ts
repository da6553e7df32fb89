import { expect, test } from '@jest/globals'
import { problemsOf } from '@svc/testing/problems-of'
import { readConfig } from './config.ts'

test('told only where its servers and peers are, the process does not start, and all that is missing is named at once', () => {
  const addresses = {
    INGESTION_DATABASE_URL: 'postgres://app@db/ingestion',
    INGESTION_WORKER_URL: 'postgres://worker@db/ingestion',
    KAFKA_BROKERS: 'kafka:9092',
    ADMIN_GRPC_ADDRESS: 'admin:7000',
  }
  expect(problemsOf(readConfig, addresses)).toEqual(
    ['KEY_ENCRYPTION_KEY', 'CALLER_SECRET_INGESTION_ADMIN'].map((name) => `${name}: is missing`),
  )
})
