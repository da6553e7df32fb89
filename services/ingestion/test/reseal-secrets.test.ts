import { randomBytes, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { createSecretBox } from '@svc/sealing'
import { merchantCaller } from '@svc/testing'
import { findChannelSettings } from '../src/db/channel-settings.ts'
import { findSignup } from '../src/db/cloud-signups.ts'
import { secretOpener } from '../src/db/secret-opener.ts'
import { resealSecrets } from '../src/use-cases/reseal-secrets.ts'
import { type CloudIngestion, cloudIngestion } from './cloud-ingestion.ts'

let ingestion: CloudIngestion
beforeAll(async () => {
  ingestion = await cloudIngestion()
})
afterAll(() => ingestion?.stop())

/** Which values of any column of any table a key has sealed, by their places. */
async function sealedBy(id: string): Promise<string[]> {
  const columns = await ingestion.sql<{ table: string; column: string }>(
    `SELECT c.table_name AS table, c.column_name AS column FROM information_schema.columns c
       JOIN information_schema.tables t USING (table_schema, table_name)
      WHERE table_schema = 'public' AND table_type = 'BASE TABLE' AND data_type = 'text' ORDER BY 1, 2`,
  )
  const found = columns.map(async ({ table, column }) => {
    const text = `SELECT FROM "${table}" WHERE starts_with("${column}", $1)`
    return (await ingestion.sql(text, [`${id}:`])).map(() => `${table}.${column}`)
  })
  return (await Promise.all(found)).flat().toSorted()
}

test('whatever a merchant has told us opens by the new key alone, and the old one has sealed nothing', async () => {
  const merchantId = await ingestion.knownMerchant()
  const caller = merchantCaller({ merchantId, isTest: false })
  const channels = ingestion.channels.as(caller)
  const key = { merchantId, channel: 'payments-a' }
  for (const secret of ['first secret of the shop', 'second secret of the shop'])
    await channels.putChannelSettings({ channel: key.channel, secret, clear_fields: [] })
  await channels.putChannelSettings({ channel: 'storefront-b', secret: 'of another channel', clear_fields: [] })
  await ingestion.cloud.as(caller).exchangeCloudToken({ code: `one-${randomUUID()}` })
  const choosing = merchantCaller({ merchantId: randomUUID(), isTest: false })
  const choice = ingestion.cloud.as(choosing).exchangeCloudToken({ code: `many-${randomUUID()}` })
  await expect(choice).rejects.toMatchObject({ code: 'asset_selection_required' })

  const { config, database, reads, logger } = ingestion.service.context
  const old = config.keyEncryptionKey
  const read = async (keys: typeof old) => {
    const box = createSecretBox(keys)
    const tenant = { merchantId: choosing.merchantId!, isTest: null }
    return {
      settings: await findChannelSettings(reads.in({ merchantId, isTest: null }), secretOpener(box, logger), key),
      signup: await findSignup(reads.in(tenant), box, tenant),
    }
  }
  const before = await read(old)
  const places = await sealedBy(old[0]!.id)
  expect(new Set(places)).toEqual(
    new Set([
      'channel_settings.secret',
      'channel_settings.previous_secret',
      'cloud_connections.access_token',
      'cloud_connections.pin',
      'cloud_signups.access_token',
      'cloud_signups.pin',
    ]),
  )
  const fresh = { id: 'fresh', key: randomBytes(32) }
  const secretBox = createSecretBox([fresh, ...old])
  expect(await resealSecrets({ database, secretBox })).toEqual({ resealed: places.length, unopened: 0 })
  expect(await sealedBy(old[0]!.id)).toEqual([])
  expect(await sealedBy(fresh.id)).toEqual(places)
  expect(await read([fresh])).toEqual(before)
  expect(before.settings).toMatchObject({ secret: 'second secret of the shop' })
  expect(before.signup?.accessToken).toBeTruthy()
})
