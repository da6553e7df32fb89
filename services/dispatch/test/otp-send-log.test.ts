import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { type Database, openDatabase } from '@svc/database'
import { explaining, type TestDatabase, testDatabase, vacuum } from '@svc/testing'
import { extensions, migrations } from '../src/db/migrations/index.ts'
import { pageOfSendLog } from '../src/db/otps.ts'

const PHONE = '+2348031234567'
const page = { limit: 20, offset: 0 }

let database: TestDatabase
let opened: Database
beforeAll(async () => {
  database = await testDatabase('dispatch', migrations, extensions)
  const { url, workerUrl, ownerUrl } = database
  opened = await openDatabase({ name: 'dispatch', url, workerUrl, migrations, poolSize: 2 })
  await database.fill(
    `INSERT INTO otp_send_log (id, channel, phone, provider, status, created_at)
     SELECT gen_random_uuid(), 'rider_phone', CASE n WHEN 1 THEN $1 ELSE '+23490' || lpad((n * 7919 % 100000000)::text, 8, '0') END,
            'messaging-a', 'sent', now() - interval '1 day' + n * interval '1 ms'
       FROM generate_series(1, 50000) n`,
    [PHONE],
  )
  await vacuum(ownerUrl, 'otp_send_log')
})
afterAll(async () => {
  await opened?.close()
  await database?.drop()
})

test.each(['2348031234567', '8031234567', '31234567'])(
  'messages to a phone are found by %s without reading those to others, however many came since',
  async (digits) => {
    const worker = explaining(opened.worker)
    const { items, total } = await pageOfSendLog({ worker } as unknown as Database, { digits }, page)
    expect([items.map(({ phone }) => phone), total]).toEqual([[PHONE], 1])
    expect(worker.carriedOut).toHaveLength(2)
    expect(worker.carriedOut.filter(({ blocks }) => blocks >= 150)).toEqual([])
  },
)
