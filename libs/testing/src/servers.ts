import { type KeptProcess, keepProcess } from './kept-process.ts'

export interface TestServers {
  databaseAdminUrl: string
  redisUrl: string
  kafkaBrokers: string[]
}

let guardian: KeptProcess | undefined

/**
 * Real Postgres, Redis and Kafka for tests: those of TEST_DATABASE_ADMIN_URL, TEST_REDIS_URL and TEST_KAFKA_BROKERS,
 * else containers or native servers that a guardian process starts once and stops when this process ends.
 */
export async function testServers(): Promise<TestServers> {
  return givenServers() ?? (await guardedServers())
}

/** Stops what `testServers` started; given servers are left alone. */
export async function stopTestServers(): Promise<void> {
  const started = guardian
  guardian = undefined
  await started?.end()
}

function givenServers(): TestServers | undefined {
  const { TEST_DATABASE_ADMIN_URL, TEST_REDIS_URL, TEST_KAFKA_BROKERS } = process.env
  if (!TEST_DATABASE_ADMIN_URL || !TEST_REDIS_URL || !TEST_KAFKA_BROKERS) return undefined
  return {
    databaseAdminUrl: TEST_DATABASE_ADMIN_URL,
    redisUrl: TEST_REDIS_URL,
    kafkaBrokers: TEST_KAFKA_BROKERS.split(','),
  }
}

async function guardedServers(): Promise<TestServers> {
  guardian ??= keepProcess(['libs/servers/src/guardian.ts'])
  const servers = JSON.parse(await guardian.line) as TestServers
  process.env.TEST_DATABASE_ADMIN_URL = servers.databaseAdminUrl
  process.env.TEST_REDIS_URL = servers.redisUrl
  process.env.TEST_KAFKA_BROKERS = servers.kafkaBrokers.join(',')
  return servers
}
