import { expect, test } from '@jest/globals'
import type { ConfigError } from '@svc/config'
import { readConfig } from './config.ts'

test('told only where its servers and peers are, the process does not start, and all that is missing is named at once', () => {
  const addresses = {
    INGESTION_DATABASE_URL: 'postgres://app@db/ingestion',
    INGESTION_WORKER_URL: 'postgres://worker@db/ingestion',
    KAFKA_BROKERS: 'kafka:9092',
    ADMIN_GRPC_ADDRESS: 'admin:7000',
  }
  let problems: readonly string[] = []
  try {
    readConfig(addresses)
  } catch (error) {
    problems = (error as ConfigError).problems
  }
  expect(problems).toEqual(['KEY_ENCRYPTION_KEY', 'CALLER_SECRET_INGESTION_ADMIN'].map((name) => `${name}: is missing`))
})
