import { randomUUID } from 'node:crypto'
import { openDatabase } from '@svc/database'
import { type TestDatabase, testDatabase } from '@svc/testing'
import { createTransact, type Tx } from '@svc/transact'
import pg from 'pg'
import { migrations } from '../src/db/migrations/index.ts'
import { type Settlement, settlements } from '../src/db/settlements.ts'

export type OpenLedger = Awaited<ReturnType<typeof openLedger>>

/** The ledger by itself: its functions on a database of its own, after `prepare` had its way as the owner. */
export async function openLedger(prepare: (owner: pg.Client) => Promise<void> = async () => {}) {
  const own: TestDatabase = await testDatabase('wallet', migrations)
  const owner = new pg.Client({ connectionString: own.ownerUrl })
  await owner.connect()
  await prepare(owner)
  await owner.end()
  const { url, workerUrl } = own
  // Debits that arrive together wait for a connection; on a busy machine longer than a caller of the service would.
  const connectTimeoutMs = 60_000
  const database = await openDatabase({ name: 'wallet', url, workerUrl, migrations, poolSize: 16, connectTimeoutMs })
  const transact = createTransact(database, { wake() {} })
  const settle = settlements(database.worker)
  return {
    /** In a transaction of its own. */
    post: <T>(work: (tx: Tx) => Promise<T>) => transact('every tenant', work),
    settle: (settlement: Omit<Settlement, 'factId' | 'factPayload'>) =>
      settle({ ...settlement, factId: randomUUID(), factPayload: Buffer.alloc(0) }),
    sql: async <Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> =>
      (await database.worker.query<Row>(text, values)).rows,
    async close() {
      await database.close()
      await own.drop()
    },
  }
}
