import { expect, test } from '@jest/globals'
import { problemsOf } from '@svc/testing/problems-of'
import { readConfig } from './config.ts'

const OTHERS = {
  INGESTION_DATABASE_URL: 'postgres://app@db/ingestion',
  INGESTION_WORKER_URL: 'postgres://worker@db/ingestion',
  KAFKA_BROKERS: 'kafka:9092',
  ADMIN_GRPC_ADDRESS: 'none',
  ORDER_GRPC_ADDRESS: 'none',
  CALLER_SECRET_GATEWAY_INGESTION: 'x'.repeat(32),
  KEY_ENCRYPTION_KEY: `k1:${Buffer.alloc(32, 1).toString('base64')}`,
}

test('told only where its servers and peers are, the process does not start, and all that is missing is named at once', () => {
  const addresses = {
    INGESTION_DATABASE_URL: 'postgres://app@db/ingestion',
    INGESTION_WORKER_URL: 'postgres://worker@db/ingestion',
    KAFKA_BROKERS: 'kafka:9092',
    ADMIN_GRPC_ADDRESS: 'admin:7000',
    ORDER_GRPC_ADDRESS: 'order:7000',
  }
  expect(problemsOf(readConfig, addresses)).toEqual(
    ['KEY_ENCRYPTION_KEY', 'CALLER_SECRET_INGESTION_ADMIN', 'CALLER_SECRET_INGESTION_ORDER'].map(
      (name) => `${name}: is missing`,
    ),
  )
})

test('a day has room for the largest attachment', () => {
  const sizes = { ATTACHMENT_MAX_BYTES: '2000', ATTACHMENT_BYTES_PER_DAY: '1999' }
  expect(problemsOf(readConfig, { ...OTHERS, ...sizes })).toEqual([
    'ATTACHMENT_BYTES_PER_DAY: must be at least ATTACHMENT_MAX_BYTES: nothing would be fetched',
  ])
  expect(problemsOf(readConfig, { ...OTHERS, ...sizes, ATTACHMENT_BYTES_PER_DAY: '2000' })).toEqual([])
})

test('the messaging app’s cloud is configured as a whole or not at all', () => {
  const part = { ...OTHERS, CLOUD_API_URL: 'https://graph.example', CLOUD_APP_ID: '1' }
  expect(problemsOf(readConfig, OTHERS)).toEqual([])
  expect(problemsOf(readConfig, part)).toEqual(
    ['CLOUD_APP_SECRET', 'CLOUD_CONFIG_ID'].map((name) => `${name}: is missing`),
  )
})
