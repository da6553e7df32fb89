import { randomBytes, randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, expect, jest, test } from '@jest/globals'
import { HookFact } from '@svc/contracts/ingestion/v1/hook'
import { type Database, openDatabase } from '@svc/database'
import { sharedVerifyingSecrets } from '../src/db/channel-settings.ts'
import { migrations } from '../src/db/migrations/index.ts'
import { hookKeeper, type KeepHook } from '../src/db/receive-hook.ts'
import type { Hook } from '../src/domain/hook.ts'
import { hookReceived } from '../src/events.ts'
import { startIngestion, type TestIngestion } from './start-ingestion.ts'

type NewHook = Parameters<KeepHook>[0]

let ingestion: TestIngestion
let database: Database
beforeAll(async () => {
  // Nobody but the tests works on what is kept.
  const normalizer = { name: 'normalizer', start: async () => {}, stop: async () => {}, wake: () => {} }
  ingestion = await startIngestion({}, { normalizer })
  const { url, workerUrl } = ingestion.database
  database = await openDatabase({ name: 'ingestion', url, workerUrl, migrations, poolSize: 4 })
})
afterEach(() => {
  jest.restoreAllMocks()
})
afterAll(async () => {
  await database.close()
  await ingestion.stop()
})

/** A hook with bytes that are no text, which leaves a fact or, for a merchant, a job. */
function came({
  merchantId,
  event = 'orders/create',
  ...given
}: Partial<Hook> & { merchantId?: string } = {}): NewHook {
  const hook: Hook = {
    id: randomUUID(),
    channel: 'storefront-a',
    pathMerchantId: merchantId ?? null,
    signer: merchantId ?? 'platform',
    event,
    headers: { 'user-agent': `"{,}\\ ${randomUUID()}` },
    body: randomBytes(1 + Math.floor(Math.random() * 3_000)),
    receivedAt: new Date(),
    ...given,
  }
  return {
    hook,
    dedupeKey: hook.id,
    by: null,
    sorted: { event, merchantId: null, externalOrderId: null, state: 'received', reason: null },
    fact: merchantId ? null : hookReceived({ signatureHeader: 'x-signature' }, hook, 1),
    job: merchantId ? { id: hook.id, channel: hook.channel, merchantId, externalOrderId: `#${hook.id}` } : null,
  }
}

/** As they stand in the database: the bytes of the hook, those of its fact, and the order of its job. */
async function standing({ hook: { id } }: NewHook) {
  const [row] = await ingestion.sql<{ body: Buffer; headers: object; payload: Buffer | null; order: string | null }>(
    `SELECT body, h.headers, o.payload, j.merchant_id || ' ' || j.external_order_id AS order
       FROM inbound_hooks h LEFT JOIN outbox o ON o.aggregate_id = h.id LEFT JOIN normalization_jobs j ON j.id = h.id
      WHERE h.id = $1`,
    [id],
  )
  const fact = row?.payload && HookFact.decode(row.payload)
  return row && { ...row, payload: undefined, told: fact ? Buffer.from(fact.body) : null }
}

test('hooks that come together are kept by few statements, each with its own bytes and its own fact or job', async () => {
  const keep = hookKeeper(database.worker)
  const merchantId = randomUUID()
  const hooks = Array.from({ length: 60 }, (_, turn) => came(turn % 2 === 0 ? { merchantId } : {}))
  const asked = jest.spyOn(database.worker, 'query')
  const kept = await Promise.all(hooks.map(keep))
  expect(asked.mock.calls.length).toBeLessThanOrEqual(3)
  expect(kept.map(({ id, isNew }) => [id, isNew])).toEqual(hooks.map(({ hook }) => [hook.id, true]))
  for (const one of hooks)
    expect(await standing(one)).toEqual({
      body: one.hook.body,
      headers: one.hook.headers,
      told: one.fact ? one.hook.body : null,
      order: one.job ? `${merchantId} #${one.hook.id}` : null,
    })
})

test('a hook that the database refuses fails alone', async () => {
  const keep = hookKeeper(database.worker)
  const hooks = [came(), came({ event: 'a\u0000b' }), came(), came()]
  const [first, refused, ...others] = await Promise.allSettled(hooks.map(keep))
  expect(refused).toMatchObject({ status: 'rejected', reason: { code: '22021' } })
  for (const one of [first, ...others]) expect(one).toMatchObject({ status: 'fulfilled', value: { isNew: true } })
})

test('of the same events that come to two processes at once, in any order, each is kept once and nobody fails', async () => {
  const keepers = [hookKeeper(database.worker), hookKeeper(database.worker)]
  for (let round = 0; round < 20; round++) {
    const events = Array.from({ length: 24 }, () => randomUUID())
    const merchantId = randomUUID()
    const answers = await Promise.all(
      keepers.flatMap((keep, process) =>
        (process === 0 ? events : events.toReversed())
          // Each comes twice to each of them.
          .flatMap((event) => [event, event])
          .map(async (dedupeKey) => ({ dedupeKey, kept: await keep({ ...came({ merchantId }), dedupeKey }) })),
      ),
    )
    const byEvent = Map.groupBy(answers, ({ dedupeKey }) => dedupeKey)
    for (const same of byEvent.values()) {
      expect(same.filter(({ kept }) => kept.isNew)).toHaveLength(1)
      expect(new Set(same.map(({ kept }) => kept.id)).size).toBe(1)
    }
  }
})

test('secrets that are asked for together are told apart, and one that cannot be opened is as good as none', async () => {
  const { secretBox, openSecret } = ingestion.service.context
  const secretsOf = sharedVerifyingSecrets(database.worker, openSecret)
  const merchants = Array.from({ length: 12 }, () => randomUUID())
  const [broken, bare] = merchants
  for (const merchantId of merchants) {
    await ingestion.sql('INSERT INTO merchants (id) VALUES ($1)', [merchantId])
    const place = { table: 'channel_settings', column: 'secret', row: 'payments-a', tenant: merchantId }
    const sealed = merchantId === broken ? 'k9:bm90aGluZw==' : secretBox.seal(place, `secret of ${merchantId}`)
    if (merchantId !== bare)
      await ingestion.sql(
        `INSERT INTO channel_settings (merchant_id, channel, secret, updated_at) VALUES ($1, 'payments-a', $2, now())`,
        [merchantId, sealed],
      )
  }
  const asked = [...merchants, randomUUID()].map((merchantId) => secretsOf({ merchantId, channel: 'payments-a' }))
  const [first, second, ...others] = await Promise.allSettled(asked)
  for (const none of [first, second]) expect(none).toEqual({ status: 'fulfilled', value: [] })
  expect(others.pop()).toEqual({ status: 'fulfilled', value: null })
  expect(others).toEqual(
    merchants.slice(2).map((merchantId) => ({ status: 'fulfilled', value: [`secret of ${merchantId}`] })),
  )
})
