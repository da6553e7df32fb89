import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { fileURLToPath } from 'node:url'

export interface TestServers {
  databaseAdminUrl: string
  redisUrl: string
  kafkaBrokers: string[]
}

const root = fileURLToPath(new URL('../../..', import.meta.url))
let guardian: { process: ChildProcess; servers: Promise<TestServers> } | undefined

/**
 * Real Postgres, Redis and Kafka for tests: those of TEST_DATABASE_ADMIN_URL, TEST_REDIS_URL and TEST_KAFKA_BROKERS,
 * else containers or native servers that a guardian process starts once and stops when this process ends.
 */
export async function testServers(): Promise<TestServers> {
  return givenServers() ?? (await guardedServers())
}

/** Stops what `testServers` started; given servers are left alone. */
export async function stopTestServers(): Promise<void> {
  if (!guardian) return
  const { process: child } = guardian
  guardian = undefined
  hold(child, 'ref')
  if (child.exitCode !== null) return
  child.stdin?.end()
  await once(child, 'exit')
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

/** The guardian stops its servers when its standard input closes, so they never outlive the tests, however these end. */
async function guardedServers(): Promise<TestServers> {
  if (!guardian) {
    const child = spawn(process.execPath, ['libs/servers/src/guardian.ts'], {
      cwd: root,
      stdio: ['pipe', 'pipe', 'inherit'],
      detached: true,
    })
    guardian = { process: child, servers: firstLine(child).then((line) => JSON.parse(line) as TestServers) }
  }
  const servers = await guardian.servers
  // A script that only measures ends when it is done, and the guardian with it.
  hold(guardian.process, 'unref')
  process.env.TEST_DATABASE_ADMIN_URL = servers.databaseAdminUrl
  process.env.TEST_REDIS_URL = servers.redisUrl
  process.env.TEST_KAFKA_BROKERS = servers.kafkaBrokers.join(',')
  return servers
}

/** Whether this process waits for the child to end before it ends itself. */
function hold(child: ChildProcess, wish: 'ref' | 'unref'): void {
  child[wish]()
  for (const pipe of [child.stdin, child.stdout]) (pipe as Socket | null)?.[wish]()
}

function firstLine(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    child.stdout?.on('data', (chunk: Buffer) => {
      text += chunk.toString('utf8')
      if (text.includes('\n')) resolve(text)
    })
    child.once('exit', (code) => reject(new Error(`the servers for tests did not start (exit ${code})`)))
  })
}
