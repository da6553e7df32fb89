import { expect, test } from '@jest/globals'
import { problemsOf } from '@svc/testing/problems-of'
import { readConfig } from './config.ts'

test('told only where its servers and peers are, the gateway does not start, and all that is missing is named at once', () => {
  const processes = ['ORDER', 'DISPATCH', 'WALLET', 'INGESTION', 'WEBHOOK', 'ADMIN']
  const addresses = processes.map((name) => [`${name}_GRPC_ADDRESS`, `${name}:7000`])
  const missing = ['GATEWAY_REPLICAS', ...processes.map((name) => `CALLER_SECRET_GATEWAY_${name}`)]
  expect(problemsOf(readConfig, { REDIS_URL: 'redis://redis', ...Object.fromEntries(addresses) })).toEqual(
    missing.map((name) => `${name}: is missing`),
  )
})
