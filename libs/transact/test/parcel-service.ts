import { randomUUID } from 'node:crypto'
import { foundationSql, openDatabase, SqlMigration, tenantTableSql } from '@svc/database'
import { testDatabase } from '@svc/testing'
import {
  createTransact,
  ExpiryIndexes,
  ExpiryVacuum,
  type Fact,
  outboxPending,
  outboxSql,
  type Transact,
} from '@svc/transact'

class First extends SqlMigration {
  up() {
    this.addSql(foundationSql)
    this.addSql(outboxSql('outboxtest'))
    this.addSql('CREATE TABLE parcel (id uuid PRIMARY KEY, merchant_id uuid NOT NULL, version int NOT NULL)')
    this.addSql(tenantTableSql({ service: 'outboxtest', table: 'parcel' }))
    this.addSql(
      'CREATE TABLE effect (seq bigint GENERATED ALWAYS AS IDENTITY, event_id uuid, aggregate_id uuid, version int)',
    )
    this.addSql('GRANT SELECT, INSERT ON effect TO outboxtest_worker')
  }
}
const migrations = [
  { name: '202611010000-first', class: First },
  { name: '202611010001-expiry-indexes', class: ExpiryIndexes },
  { name: '202611010002-expiry-vacuum', class: ExpiryVacuum },
  outboxPending,
]

export const merchantId = randomUUID()
export const tenant = { merchantId, isTest: false }

/** A small service with a database of its own. */
export async function parcelService() {
  const dev = await testDatabase('outboxtest', migrations)
  const database = await openDatabase({
    name: 'outboxtest',
    url: dev.url,
    workerUrl: dev.workerUrl,
    migrations,
  })
  const another = () => openDatabase({ name: 'outboxtest', url: dev.url, workerUrl: dev.workerUrl, migrations })
  const transact = createTransact(database, { wake: () => undefined })
  return { dev, database, another, transact, close: () => database.close().then(() => dev.drop()) }
}

type SampleFact = Fact<'ingestion.hook_received'>

/** What the sample fact carries: a hook with any bytes for a body. */
export const samplePayload = (body: Buffer = Buffer.from('moved')): SampleFact['payload'] => ({
  hook_id: '',
  channel: '',
  signed_by_platform: false,
  event: '',
  body,
  received_at: undefined,
})

/** A fact of the mesh that stands for all of them here. */
export const sampleFact = (aggregateId: string, aggregateVersion: number, body?: Buffer): SampleFact => ({
  type: 'ingestion.hook_received',
  aggregateId,
  aggregateVersion,
  merchantId,
  isTest: false,
  payload: samplePayload(body),
})

/** Commits `versions` facts of each of `aggregates` new aggregates, one transaction per version. */
export async function announce(transact: Transact, aggregates: number, versions: number): Promise<string[]> {
  const ids = Array.from({ length: aggregates }, () => randomUUID())
  for (let version = 1; version <= versions; version++)
    await transact(tenant, async (tx) => {
      for (const id of ids) tx.publish(sampleFact(id, version))
    })
  return ids
}
