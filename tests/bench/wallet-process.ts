import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { CommissionServiceService } from '@svc/contracts/wallet/v1/commission_service'
import { grpcClient, systemCaller } from '@svc/grpc'
import { eventually, freePort, TEST_SECRET, testDatabase, testServers, uniquePrefix } from '@svc/testing'
import pg from 'pg'
import { migrations } from '../../services/wallet/src/db/migrations/index.ts'

// Nothing is measured here but on this machine.
process.env['GRPC_TLS'] = 'off'

/** The wallet service alone, as a process of its own on a database of its own, called over gRPC. */
export async function walletProcess(settings: Record<string, string> = {}) {
  const [servers, database, grpcPort, opsPort] = await Promise.all([
    testServers(),
    testDatabase('wallet', migrations),
    freePort(),
    freePort(),
  ])
  const child = spawn(process.execPath, ['--conditions=source', 'src/main.ts'], {
    cwd: join(import.meta.dirname, '../../services/wallet'),
    stdio: ['ignore', 'inherit', 'inherit'],
    env: {
      PATH: process.env['PATH'],
      NODE_ENV: 'production',
      LOG_LEVEL: 'error',
      GRPC_PORT: String(grpcPort),
      OPS_PORT: String(opsPort),
      WALLET_DATABASE_URL: database.url,
      WALLET_WORKER_URL: database.workerUrl,
      KAFKA_BROKERS: servers.kafkaBrokers.join(','),
      TOPIC_PREFIX: uniquePrefix(),
      CALLER_SECRET_ORDER_WALLET: TEST_SECRET,
      ADMIN_GRPC_ADDRESS: 'none',
      DISPATCH_GRPC_ADDRESS: 'none',
      MAIL_API_URL: 'none',
      BILLING_ENFORCEMENT: 'false',
      GRPC_TLS: 'off',
      KAFKA_ACL: 'off',
      ...settings,
    },
  })
  await eventually(async () => (await fetch(`http://127.0.0.1:${opsPort}/health/ready`)).ok, { timeoutMs: 60_000 })
  const worker = new pg.Pool({ connectionString: database.workerUrl, max: 4 })
  const link = { address: `127.0.0.1:${grpcPort}`, from: 'order', to: 'wallet', secret: TEST_SECRET }
  const commissions = grpcClient(CommissionServiceService, link)
  return {
    database,
    worker,
    commissions: () => commissions.as(systemCaller('order')),
    async stop() {
      commissions.close()
      await worker.end()
      await ended(child)
      await database.drop()
    },
  }
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return
  child.kill('SIGTERM')
  await once(child, 'exit')
}
