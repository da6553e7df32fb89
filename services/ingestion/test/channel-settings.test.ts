import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { AuditRecorded } from '@svc/contracts/common/v1/audit'
import type { PutChannelSettingsRequest } from '@svc/contracts/ingestion/v1/channel_service'
import { adminCaller, merchantCaller } from '@svc/testing'
import { startIngestion, type TestIngestion } from './start-ingestion.ts'

const SECRET = 'sixteen-or-more-characters'

let ingestion: TestIngestion
beforeAll(async () => {
  ingestion = await startIngestion()
})
afterAll(() => ingestion.stop())

const channel = 'payments-a'
const change = (changes: Partial<PutChannelSettingsRequest>): PutChannelSettingsRequest => ({
  channel,
  clear_fields: [],
  ...changes,
})
const merchant = (merchantId: string, scopes = ['keys:manage', 'orders:read']) =>
  ingestion.channels.as(merchantCaller({ merchantId, scopes, isTest: false }))

describe('a merchant’s secret', () => {
  test('is configured or not, and never shown', async () => {
    const as = merchant(randomUUID())
    expect((await as.getChannelSettings({ channel })).channel_settings).toEqual({
      channel,
      secret_configured: false,
      updated_at: undefined,
    })
    const put = await as.putChannelSettings(change({ secret: SECRET }))
    expect(put.channel_settings).toEqual({ channel, secret_configured: true, updated_at: expect.any(String) })
    expect(await as.getChannelSettings({ channel })).toEqual(put)
    expect(JSON.stringify(put)).not.toContain(SECRET)
    const cleared = await as.putChannelSettings(change({ clear_fields: ['secret'] }))
    expect(cleared.channel_settings).toMatchObject({ secret_configured: false })
  })

  test('lies sealed in the table, and is no use in another merchant’s row', async () => {
    const [owner, thief] = [await ingestion.knownMerchant(), await ingestion.knownMerchant()]
    await merchant(owner).putChannelSettings(change({ secret: SECRET }))
    const [row] = await ingestion.sql<{ text: string }>(
      'SELECT s::text AS text FROM channel_settings s WHERE merchant_id = $1',
      [owner],
    )
    expect(row!.text).not.toContain(SECRET)
    await ingestion.sql(
      `INSERT INTO channel_settings SELECT $2, channel, secret, NULL, NULL, updated_at FROM channel_settings WHERE merchant_id = $1`,
      [owner, thief],
    )
    await expect(ingestion.send({ body: Buffer.from('{}'), merchantId: thief, secret: SECRET })).rejects.toMatchObject({
      code: 'invalid_signature',
    })
  })

  test('and each change of it is audited, without it', async () => {
    const merchantId = randomUUID()
    const as = merchant(merchantId)
    await as.putChannelSettings(change({ secret: SECRET }))
    await as.putChannelSettings(change({ secret: SECRET }))
    await as.putChannelSettings(change({}))
    await as.putChannelSettings(change({ clear_fields: ['secret'] }))
    const rows = await ingestion.sql<{ payload: Buffer }>(
      `SELECT payload FROM outbox WHERE type = 'audit.recorded' AND merchant_id = $1 ORDER BY seq`,
      [merchantId],
    )
    const acts = rows.map(({ payload }) => AuditRecorded.decode(payload))
    expect(acts.map(({ action, resource_id }) => [action, resource_id])).toEqual([
      ['merchant.ingestion_channel_put', channel],
      ['merchant.ingestion_channel_put', channel],
    ])
    expect(acts.map(({ before_json, after_json }) => [JSON.parse(before_json!), JSON.parse(after_json!)])).toEqual([
      [
        { channel, secret_configured: false },
        { channel, secret_configured: true },
      ],
      [
        { channel, secret_configured: true },
        { channel, secret_configured: false },
      ],
    ])
  })

  test.each([
    ['too short', { secret: 'x'.repeat(15) }],
    ['too long', { secret: 'x'.repeat(257) }],
    ['empty', { secret: '' }],
    ['set and cleared at once', { secret: SECRET, clear_fields: ['secret'] }],
    ['cleared under a wrong name', { clear_fields: ['phone'] }],
  ])('that is %s is refused', async (_what, changes) => {
    const put = merchant(randomUUID()).putChannelSettings(change(changes))
    await expect(put).rejects.toMatchObject({ code: 'validation_error' })
  })
})

describe('who may', () => {
  test('merchants with a scope for it; reading takes either scope of orders', async () => {
    const merchantId = randomUUID()
    for (const scope of ['orders:read', 'orders:write']) {
      const as = merchant(merchantId, [scope])
      await as.getChannelSettings({ channel })
      await expect(as.putChannelSettings(change({ secret: SECRET }))).rejects.toMatchObject({ code: 'forbidden' })
    }
    const manager = merchant(merchantId, ['keys:manage'])
    await manager.putChannelSettings(change({ secret: SECRET }))
    await expect(manager.getChannelSettings({ channel })).rejects.toMatchObject({ code: 'forbidden' })
  })

  test('the merchant in person: whoever acts for it reads, and sets no secret that would outlive its grant', async () => {
    const merchantId = randomUUID()
    const grantee = merchantCaller({ merchantId, isTest: false, actingFor: merchantId })
    const as = ingestion.channels.as(grantee)
    await as.getChannelSettings({ channel })
    await expect(as.putChannelSettings(change({ secret: SECRET }))).rejects.toMatchObject({
      code: 'forbidden',
      details: { reason: 'acting_for_another' },
    })
    expect(await ingestion.sql('SELECT 1 FROM channel_settings WHERE merchant_id = $1', [merchantId])).toEqual([])
  })

  test('live and log-in credentials, none of the sandbox: channels belong to live money', async () => {
    const merchantId = randomUUID()
    const liveModeRequired = { code: 'forbidden', details: { reason: 'live_mode_required' } }
    const as = ingestion.channels.as(merchantCaller({ merchantId, isTest: true }))
    await expect(as.putChannelSettings(change({ secret: SECRET }))).rejects.toMatchObject(liveModeRequired)
    await expect(as.getChannelSettings({ channel })).rejects.toMatchObject(liveModeRequired)
    expect(await ingestion.sql('SELECT 1 FROM channel_settings WHERE merchant_id = $1', [merchantId])).toEqual([])
    const owner = ingestion.channels.as(merchantCaller({ merchantId, isTest: null }))
    await owner.putChannelSettings(change({ secret: SECRET }))
  })

  test('operators, for a merchant that exists', async () => {
    const merchant_id = await ingestion.knownMerchant()
    const operator = ingestion.channels.as(adminCaller())
    await operator.putChannelSettings(change({ merchant_id, secret: SECRET }))
    const { channel_settings } = await merchant(merchant_id).getChannelSettings({ channel })
    expect(channel_settings).toMatchObject({ secret_configured: true })
    expect((await operator.getChannelSettings({ channel, merchant_id })).channel_settings).toEqual(channel_settings)
    for (const nobody of [randomUUID(), 'nobody']) {
      const named = { merchant_id: nobody }
      await expect(operator.getChannelSettings({ channel, ...named })).rejects.toMatchObject({ code: 'not_found' })
      await expect(operator.putChannelSettings(change(named))).rejects.toMatchObject({ code: 'not_found' })
    }
    const reader = ingestion.channels.as(adminCaller({ permissions: ['admin.merchants.read'] }))
    await reader.getChannelSettings({ channel, merchant_id })
    const put = reader.putChannelSettings(change({ merchant_id, secret: SECRET }))
    await expect(put).rejects.toMatchObject({ code: 'forbidden' })
  })

  test('nobody for another merchant, and nobody without credentials', async () => {
    const merchant_id = await ingestion.knownMerchant()
    const other = merchant(randomUUID())
    for (const attempt of [
      other.getChannelSettings({ channel, merchant_id }),
      other.putChannelSettings(change({ merchant_id, secret: SECRET })),
      ingestion.channels.as(adminCaller()).getChannelSettings({ channel }),
    ])
      await expect(attempt).rejects.toMatchObject({ code: 'forbidden' })
  })

  test('a channel that does not exist is not found', async () => {
    const as = merchant(randomUUID())
    await expect(as.getChannelSettings({ channel: 'payments-z' })).rejects.toMatchObject({ code: 'not_found' })
    const put = as.putChannelSettings(change({ channel: 'payments-z', secret: SECRET }))
    await expect(put).rejects.toMatchObject({ code: 'not_found' })
  })
})
