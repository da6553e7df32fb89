import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { adminCaller, testServers } from '@svc/testing'
import pg from 'pg'
import { type Admin, PASSWORD, patch, publicCaller, refusal, signUp, startAdmin } from './start-admin.ts'

let admin: Admin
beforeAll(async () => {
  admin = await startAdmin()
})
afterAll(() => admin.stop())

describe('the users of a merchant', () => {
  const read = () => admin.merchants.as(adminCaller({ permissions: ['admin.merchants.read'] }))
  const page = { limit: 0, offset: 0 }

  test('are those who log in for it, with what they are known by and nothing that proves it', async () => {
    const { merchantId, email } = await signUp(admin)
    await signUp(admin)
    await admin.credentials.as(publicCaller()).logIn({ email, password: PASSWORD })
    const { items, total, limit } = await read().listUsers({ ...page, merchant_id: merchantId })
    expect([total, limit]).toEqual([1, 50])
    expect(items).toEqual([
      {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        merchant_id: merchantId,
        email,
        email_verified: false,
        role: 'owner',
        created_at: expect.stringMatching(/Z$/),
        last_login_at: expect.stringMatching(/Z$/),
      },
    ])
    expect((await read().listUsers({ limit: 1, offset: 1, merchant_id: merchantId })).items).toEqual([])
  })

  test('are of a merchant that there is, and take admin.merchants.read', async () => {
    await expect(read().listUsers({ ...page, merchant_id: randomUUID() })).rejects.toEqual(refusal('not_found'))
    const { merchantId } = await signUp(admin)
    const weak = admin.merchants.as(adminCaller({ permissions: ['admin.merchants.write'] }))
    await expect(weak.listUsers({ ...page, merchant_id: merchantId })).rejects.toEqual(
      refusal('forbidden', { required: ['admin.merchants.read'] }),
    )
  })
})

describe('the messaging engine of every merchant', () => {
  const set = (messaging_engine: string, on = admin) =>
    on.merchants
      .as(adminCaller({ permissions: ['admin.system.write'] }))
      .bulkUpdateMessagingEngine({ messaging_engine })

  /** Merchants that no test looks at one by one. */
  async function fill(on: Admin, count: number): Promise<void> {
    await on.worker.query(
      `INSERT INTO merchants (id, name, slug, email, merchant_tier, billing_status, kyb_status, business_approval_status,
                              auto_dispatch_enabled, dispatch_mode, dispatch_batch_size, fulfillment_mode, messaging_engine,
                              currency, timezone, created_at, updated_at)
       SELECT gen_random_uuid(), 'Filler ' || n, 'filler-' || n, 'f@example.com', 'pay_as_you_go', 'active', 'not_submitted',
              'none', true, 'one_by_one', 3, 'freelancer', 'rules', 'NGN', 'Africa/Lagos', now(), now()
         FROM generate_series(1, $1::int) AS n`,
      [count],
    )
  }

  const count = async (on: Admin, sql: string): Promise<number> =>
    (await on.worker.query<{ count: number }>(`SELECT count(*)::int AS count FROM ${sql}`)).rows[0]!.count
  const changesTold = (on: Admin) => count(on, "outbox WHERE type = 'merchant.updated'")
  const bulkActs = (on: Admin) =>
    count(on, "outbox WHERE type = 'audit.recorded' AND encode(payload, 'escape') LIKE '%messaging_engine_bulk%'")

  test('is set where it is another, told of each of these, and on record once; a repeat changes nothing', async () => {
    const own = await startAdmin()
    try {
      await fill(own, 1_203)
      const { merchantId } = await signUp(own)
      await patch(own, merchantId, { messaging_engine: 'ai' })
      const told = await changesTold(own)
      expect(await set('ai', own)).toEqual({ updated: 1_203 })
      expect(await count(own, "merchants WHERE messaging_engine <> 'ai'")).toBe(0)
      expect(await count(own, 'merchants WHERE version = 2')).toBe(1_204)
      expect(await changesTold(own)).toBe(told + 1_203)
      expect(await bulkActs(own)).toBe(1)
      expect(await set('ai', own)).toEqual({ updated: 0 })
      expect([await changesTold(own), await bulkActs(own)]).toEqual([told + 1_203, 1])
    } finally {
      await own.stop()
    }
  })

  test('that could not be set for all of them is set for the rest by a repeat', async () => {
    const own = await startAdmin()
    const inside = new URL((await testServers()).databaseAdminUrl)
    inside.pathname = new URL(own.database.ownerUrl).pathname
    const holder = new pg.Client({ connectionString: inside.href })
    await holder.connect()
    try {
      await fill(own, 700)
      // The last of them is held for longer than anybody waits.
      await holder.query('BEGIN')
      await holder.query('SELECT FROM merchants ORDER BY id DESC LIMIT 1 FOR UPDATE')
      await expect(set('off', own)).rejects.toEqual(refusal('service_unavailable'))
      expect(await count(own, "merchants WHERE messaging_engine = 'off'")).toBe(500)
      expect(await bulkActs(own)).toBe(1)
      await holder.query('COMMIT')
      expect(await set('off', own)).toEqual({ updated: 200 })
      expect(await count(own, "merchants WHERE messaging_engine = 'off'")).toBe(700)
    } finally {
      await holder.end()
      await own.stop()
    }
  })

  test('is one that there is, and takes admin.system.write', async () => {
    await expect(set('magic')).rejects.toEqual(
      refusal('validation_error', { field: 'messaging_engine', allowed: ['rules', 'ai', 'off'] }),
    )
    const weak = admin.merchants.as(adminCaller({ permissions: ['admin.merchants.write'] }))
    await expect(weak.bulkUpdateMessagingEngine({ messaging_engine: 'ai' })).rejects.toEqual(
      refusal('forbidden', { required: ['admin.system.write'] }),
    )
  })
})
