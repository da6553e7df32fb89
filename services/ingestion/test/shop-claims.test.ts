import { createHmac, randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals'
import type { PutChannelSettingsRequest } from '@svc/contracts/ingestion/v1/channel_service'
import { merchantCaller } from '@svc/testing'
import { startIngestion, type TestIngestion } from './start-ingestion.ts'

const CHANNEL = 'storefront-a'
const refused = { code: 'invalid_signature' }

let ingestion: TestIngestion
beforeAll(async () => {
  // Nobody but the tests works on what is kept.
  const normalizer = { name: 'normalizer', start: async () => {}, stop: async () => {}, wake: () => {} }
  ingestion = await startIngestion({}, { normalizer })
})
afterEach(() => {
  jest.restoreAllMocks()
})
afterAll(() => ingestion.stop())

interface Claimant {
  merchantId: string
  domain: string
  secret: string
}

const set = ({ merchantId }: Claimant, change: Partial<PutChannelSettingsRequest>) =>
  ingestion.channels
    .as(merchantCaller({ merchantId, isTest: false }))
    .putChannelSettings({ channel: CHANNEL, clear_fields: [], ...change })

/** A merchant that says a shop is its own, by a secret of its own unless that is given. */
async function claimant({ domain = `${randomUUID()}.example.com`, secret = randomUUID() as string } = {}) {
  const one: Claimant = { merchantId: await ingestion.knownMerchant(), domain, secret }
  await set(one, { secret, shop_domain: domain })
  return one
}

const newBody = () => Buffer.from(JSON.stringify({ id: randomUUID() }))

function send({ domain, secret }: Pick<Claimant, 'domain' | 'secret'>, body = newBody()) {
  const headers = {
    'x-storefront-a-hmac-sha256': createHmac('sha256', secret).update(body).digest('base64'),
    'x-storefront-a-shop-domain': domain,
    'x-storefront-a-topic': 'orders/create',
  }
  return ingestion.anyone().receiveHook({
    channel: CHANNEL,
    headers: Object.entries(headers).map(([name, value]) => ({ name, value })),
    body,
    exhausted_signers: [],
  })
}

/** Whose a hook is by its bytes: as often as it is kept. */
const keptFor = async (body: Buffer): Promise<string[]> =>
  (await ingestion.sql<{ signer: string }>('SELECT signer FROM inbound_hooks WHERE body = $1', [body])).map(
    ({ signer }) => signer,
  )

describe('a secret that no key opens any more', () => {
  const LOST = 'k9:bm90aGluZw=='
  const lose = ({ merchantId }: Claimant, column = 'secret') =>
    ingestion.sql(`UPDATE channel_settings SET ${column} = $2 WHERE merchant_id = $1`, [merchantId, LOST])
  const stored = async ({ merchantId }: Claimant) =>
    (
      await ingestion.sql('SELECT secret, previous_secret FROM channel_settings WHERE merchant_id = $1', [merchantId])
    )[0]
  const settingsOf = async ({ merchantId }: Claimant) => {
    const owner = ingestion.channels.as(merchantCaller({ merchantId, isTest: false }))
    return (await owner.getChannelSettings({ channel: CHANNEL })).channel_settings
  }

  test('silences nobody but its merchant, who sets another', async () => {
    const broken = await claimant()
    const other = await claimant({ domain: broken.domain })
    await lose(broken)
    expect(await send(other)).toMatchObject({ status: 'accepted' })
    await expect(send(broken)).rejects.toMatchObject(refused)
    expect(await settingsOf(broken)).toMatchObject({ secret_configured: false, shop_domain: broken.domain })
    const anew = { ...broken, secret: randomUUID() }
    await set(broken, { secret: anew.secret })
    expect(await settingsOf(broken)).toMatchObject({ secret_configured: true })
    for (const one of [anew, other]) expect(await send(one)).toMatchObject({ status: 'accepted' })
  })

  test('stays as it is stored while its merchant changes something else, and goes when it is cleared', async () => {
    const broken = await claimant()
    await lose(broken)
    await set(broken, { lead_minutes: 45 })
    expect(await settingsOf(broken)).toMatchObject({ lead_minutes: 45 })
    expect(await stored(broken)).toEqual({ secret: LOST, previous_secret: null })
    await set(broken, { clear_fields: ['secret'] })
    expect(await stored(broken)).toEqual({ secret: null, previous_secret: null })
  })

  test('does not take the current one with it where it is the previous', async () => {
    const before = await claimant()
    const after = { ...before, secret: randomUUID() }
    await set(before, { secret: after.secret })
    await lose(before, 'previous_secret')
    expect(await send(after)).toMatchObject({ status: 'accepted' })
    await expect(send(before)).rejects.toMatchObject(refused)
    await set(before, { lead_minutes: 45 })
    expect(await stored(before)).toMatchObject({ previous_secret: LOST })
    await set(before, { clear_fields: ['secret'] })
    expect(await stored(before)).toEqual({ secret: null, previous_secret: null })
  })
})

describe('what is remembered of a shop', () => {
  test('takes its next hooks in one statement, each', async () => {
    const shop = await claimant()
    await send(shop)
    const asked = jest.spyOn(ingestion.service.context.database.worker, 'query')
    for (let turn = 0; turn < 3; turn++) expect(await send(shop)).toMatchObject({ status: 'accepted' })
    const statements = asked.mock.calls.map(([statement]) => (statement as unknown as { name?: string }).name)
    expect(statements.filter((name) => name === 'receive_hook')).toHaveLength(3)
    expect(statements).not.toContain('shop_claims')
  })

  test('believes no secret that was replaced or taken away, from that moment on', async () => {
    const shop = await claimant()
    const before = newBody()
    await send(shop, before)
    const newer = { ...shop, secret: randomUUID() }
    await set(shop, { secret: newer.secret })
    // For a day both do.
    for (const one of [shop, newer, shop]) expect(await send(one)).toMatchObject({ status: 'accepted' })
    await ingestion.sql('UPDATE channel_settings SET previous_secret_expires_at = app_now() WHERE merchant_id = $1', [
      shop.merchantId,
    ])
    const late = newBody()
    await expect(send(shop, late)).rejects.toMatchObject(refused)
    expect(await keptFor(late)).toEqual([])
    // Nor is it told that it came before.
    await expect(send(shop, before)).rejects.toMatchObject(refused)
    expect(await send(newer)).toMatchObject({ status: 'accepted' })
    await set(shop, { clear_fields: ['secret'] })
    await expect(send(newer)).rejects.toMatchObject(refused)
  })

  test('is another once the shop is given up, and once it is said anew', async () => {
    const shop = await claimant()
    await send(shop)
    await set(shop, { clear_fields: ['shop_domain'] })
    await expect(send(shop)).rejects.toMatchObject(refused)
    await set(shop, { shop_domain: shop.domain })
    expect(await send(shop)).toMatchObject({ status: 'accepted' })
  })

  test('keeps no hook from a merchant who has come to say so too, by the same secret', async () => {
    const first = await claimant()
    await send(first)
    const second = await claimant(first)
    const body = newBody()
    expect(await send(first, body)).toMatchObject({ status: 'accepted' })
    expect((await keptFor(body)).toSorted()).toEqual([first.merchantId, second.merchantId].toSorted())
  })

  test('that is wrong for one shop delays none of the others that come with it', async () => {
    const [changed, same] = [await claimant(), await claimant()]
    for (const shop of [changed, same]) await send(shop)
    await set(changed, { clear_fields: ['secret'] })
    const bodies = Array.from({ length: 20 }, newBody)
    const sent = await Promise.allSettled(bodies.map((body, nth) => send(nth % 2 === 0 ? changed : same, body)))
    expect(sent.map(({ status }) => status)).toEqual(bodies.map((_, nth) => (nth % 2 === 0 ? 'rejected' : 'fulfilled')))
    const kept = await Promise.all(bodies.map(keptFor))
    expect(kept).toEqual(bodies.map((_, nth) => (nth % 2 === 0 ? [] : [same.merchantId])))
  })
})
