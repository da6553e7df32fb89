import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Caller, type Client, grpcClient, type ServiceDefinition } from '@svc/grpc'
import { eventually, freePort, TEST_SECRET, testDatabase, testServers, uniquePrefix } from '@svc/testing'
import pg from 'pg'
import { extensions, migrations } from '../../services/dispatch/src/db/migrations/index.ts'

// Nothing is measured here but on this machine.
process.env['GRPC_TLS'] = 'off'

/** The dispatch service alone, as a process of its own on a database of its own, called over gRPC. */
export async function dispatchProcess(settings: Record<string, string> = {}) {
  const [servers, database, grpcPort, opsPort] = await Promise.all([
    testServers(),
    testDatabase('dispatch', migrations, extensions),
    freePort(),
    freePort(),
  ])
  const child = spawn(process.execPath, ['--conditions=source', 'src/main.ts'], {
    cwd: join(import.meta.dirname, '../../services/dispatch'),
    stdio: ['ignore', 'inherit', 'inherit'],
    env: {
      PATH: process.env['PATH'],
      NODE_ENV: 'production',
      LOG_LEVEL: 'error',
      GRPC_PORT: String(grpcPort),
      OPS_PORT: String(opsPort),
      DISPATCH_DATABASE_URL: database.url,
      DISPATCH_WORKER_URL: database.workerUrl,
      KAFKA_BROKERS: servers.kafkaBrokers.join(','),
      TOPIC_PREFIX: uniquePrefix(),
      REDIS_URL: servers.redisUrl,
      REDIS_PREFIX: uniquePrefix(),
      // Nothing that is measured here asks them.
      ORDER_GRPC_ADDRESS: '127.0.0.1:1',
      ADMIN_GRPC_ADDRESS: '127.0.0.1:1',
      WALLET_GRPC_ADDRESS: 'none',
      CALLER_SECRET_GATEWAY_DISPATCH: TEST_SECRET,
      CALLER_SECRET_DISPATCH_ORDER: TEST_SECRET,
      CALLER_SECRET_DISPATCH_ADMIN: TEST_SECRET,
      OTP_PEPPER: randomBytes(32).toString('base64'),
      SOS_PHONES: 'none',
      MESSAGING_API_URL: 'none',
      BILLING_ENFORCEMENT: 'false',
      GRPC_TLS: 'off',
      KAFKA_ACL: 'off',
      ...settings,
    },
  })
  await eventually(async () => (await fetch(`http://127.0.0.1:${opsPort}/health/ready`)).ok, { timeoutMs: 60_000 })
  const worker = new pg.Pool({ connectionString: database.workerUrl, max: 4 })
  const opened: Array<{ close(): void }> = []
  return {
    servers,
    database,
    worker,
    /** CPU time that the process has used. */
    cpuMs: () => cpuMsOf(child.pid as number),
    /** An rpc service, as a caller. */
    client<D extends ServiceDefinition>(definition: D) {
      const address = `127.0.0.1:${grpcPort}`
      const client: Client<D> = grpcClient(definition, {
        address,
        from: 'gateway',
        to: 'dispatch',
        secret: TEST_SECRET,
      })
      opened.push(client)
      return (caller: Caller) => client.as(caller)
    },
    async stop() {
      for (const client of opened) client.close()
      await worker.end()
      await ended(child)
      await database.drop()
    },
  }
}

/** From user and system time in /proc, which counts in hundredths of a second. */
function cpuMsOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) * 10
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return
  child.kill('SIGTERM')
  await once(child, 'exit')
}
