import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { merchantCaller } from '@svc/testing'
import pg from 'pg'
import { chargeBody, startIngestion, type TestIngestion } from './start-ingestion.ts'

let ingestion: TestIngestion
let app: pg.Client
beforeAll(async () => {
  ingestion = await startIngestion()
  app = new pg.Client({ connectionString: ingestion.database.url })
  await app.connect()
  await ingestion.send({ body: chargeBody() })
})
afterAll(async () => {
  await app.end()
  await ingestion.stop()
})

async function as<T>(merchantId: string, work: () => Promise<T>): Promise<T> {
  await app.query('BEGIN')
  await app.query("SELECT set_config('app.tenant_id', $1, true)", [merchantId])
  try {
    return await work()
  } finally {
    await app.query('ROLLBACK')
  }
}

async function merchantWithSecret(): Promise<string> {
  const merchantId = randomUUID()
  const change = { channel: 'payments-a', secret: 'sixteen-or-more-characters', clear_fields: [] }
  await ingestion.channels.as(merchantCaller({ merchantId })).putChannelSettings(change)
  return merchantId
}

describe('the second wall', () => {
  test('a query of secrets without a tenant fails; a tenant sees its own only', async () => {
    const [ours] = [await merchantWithSecret(), await merchantWithSecret()]
    await expect(app.query('SELECT count(*) FROM channel_settings')).rejects.toThrow(
      /app\.tenant_id|invalid input syntax for type uuid/,
    )
    const { rows } = await as(ours, () => app.query('SELECT merchant_id AS id FROM channel_settings'))
    expect(rows).toEqual([{ id: ours }])
  })

  test.each(['inbound_hooks', 'merchants'])('%s is out of reach of whoever serves tenants', async (table) => {
    await expect(as(randomUUID(), () => app.query(`SELECT count(*) FROM ${table}`))).rejects.toThrow(
      /permission denied/,
    )
  })
})
