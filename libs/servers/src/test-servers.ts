import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type KeptProcess, keepProcess } from './kept-process.ts'
import type { ServerAddresses } from './native-servers.ts'
import { livePid } from './pid-file.ts'

const localFolder = fileURLToPath(new URL('../../../.local', import.meta.url))
/** The process of `npm run test:servers`, and where its servers answer. */
export const TEST_SERVERS_PID_FILE = join(localFolder, 'test-servers.pid')
const ADDRESSES_FILE = join(localFolder, 'test-servers.json')

let guardian: KeptProcess | undefined

/**
 * Real Postgres, Redis and Kafka for tests: those of TEST_DATABASE_ADMIN_URL, TEST_REDIS_URL and TEST_KAFKA_BROKERS,
 * else those that `npm run test:servers` keeps, else containers or native servers that a guardian process starts once and stops when this process ends.
 */
export async function testServers(): Promise<ServerAddresses> {
  return givenServers() ?? keptServers() ?? (await guardedServers())
}

/** Stops what `testServers` started; given servers are left alone. */
export async function stopTestServers(): Promise<void> {
  const started = guardian
  guardian = undefined
  await started?.end()
}

function givenServers(): ServerAddresses | undefined {
  const { TEST_DATABASE_ADMIN_URL, TEST_REDIS_URL, TEST_KAFKA_BROKERS } = process.env
  if (!TEST_DATABASE_ADMIN_URL || !TEST_REDIS_URL || !TEST_KAFKA_BROKERS) return undefined
  return {
    databaseAdminUrl: TEST_DATABASE_ADMIN_URL,
    redisUrl: TEST_REDIS_URL,
    kafkaBrokers: TEST_KAFKA_BROKERS.split(','),
  }
}

function keptServers(): ServerAddresses | undefined {
  if (!livePid(TEST_SERVERS_PID_FILE)) return undefined
  try {
    return toldToAll(JSON.parse(readFileSync(ADDRESSES_FILE, 'utf8')))
  } catch {
    // They are being started.
    return undefined
  }
}

/** Starts servers that every later run of tests in this clone finds, while this process runs; answers what stops them. */
export async function keepTestServers(): Promise<() => Promise<void>> {
  rmSync(ADDRESSES_FILE, { force: true })
  const servers = await guardedServers()
  guardian?.stay()
  writeFileSync(ADDRESSES_FILE, JSON.stringify(servers))
  return async () => {
    rmSync(ADDRESSES_FILE, { force: true })
    await stopTestServers()
  }
}

async function guardedServers(): Promise<ServerAddresses> {
  guardian ??= keepProcess(['libs/servers/src/guardian.ts'])
  return toldToAll(JSON.parse(await guardian.line))
}

/** Processes that a test starts find them as given ones. */
function toldToAll(servers: ServerAddresses): ServerAddresses {
  process.env.TEST_DATABASE_ADMIN_URL = servers.databaseAdminUrl
  process.env.TEST_REDIS_URL = servers.redisUrl
  process.env.TEST_KAFKA_BROKERS = servers.kafkaBrokers.join(',')
  return servers
}
