import { expect, test } from '@jest/globals'
import type { ConfigError } from '@svc/config'
import { readConfig } from './config.ts'

test('told only where its servers and peers are, the process does not start, and all that is missing is named at once', () => {
  const addresses = {
    ADMIN_DATABASE_URL: 'postgres://app@db/admin',
    ADMIN_WORKER_URL: 'postgres://worker@db/admin',
    KAFKA_BROKERS: 'kafka:9092',
    REDIS_URL: 'redis://redis',
  }
  let problems: readonly string[] = []
  try {
    readConfig(addresses)
  } catch (error) {
    problems = (error as ConfigError).problems
  }
  expect(problems).toEqual(
    ['API_KEY_PEPPER', 'PASSWORD_PEPPER', 'AUDIT_KEY', 'TOKEN_SIGNING_JWK'].map((name) => `${name}: is missing`),
  )
})
