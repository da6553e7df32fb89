import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { adminCaller } from '@svc/testing'
import { type Admin, publicCaller, refusal, signUp, startAdmin } from './start-admin.ts'

let admin: Admin
beforeAll(async () => {
  admin = await startAdmin()
})
afterAll(() => admin?.stop())

const write = (fields: object) =>
  admin.inquiries.as(publicCaller()).createContactInquiry({
    source: 'web_marketing',
    name: 'Ada',
    email: 'ada@example.com',
    message: 'Hello',
    ...fields,
  })
const list = (fields: object = {}, caller = adminCaller()) =>
  admin.inquiries.as(caller).listContactInquiries({ limit: 30, offset: 0, ...fields })
const review = (id: string, status: string, caller = adminCaller()) =>
  admin.inquiries.as(caller).updateContactInquiry({ id, review_status: status })

describe('what people write', () => {
  test('is listed for operators, newest first, by address, occasion and status', async () => {
    const email = `${randomUUID()}@example.com`
    await write({ email: email.toUpperCase(), message: 'first', phone: '+2348012345678' })
    await write({ email, message: 'second', source: 'signup_request' })
    const all = await list({ email: email.toUpperCase() })
    expect(all).toMatchObject({
      total: 2,
      limit: 30,
      offset: 0,
      items: [
        {
          email,
          source: 'signup_request',
          name: 'Ada',
          message: 'second',
          review_status: 'open',
          merchant_id: undefined,
        },
        { email, source: 'web_marketing', message: 'first', phone: '+2348012345678' },
      ],
    })
    expect((await list({ email, source: 'web_marketing' })).items.map(({ message }) => message)).toEqual(['first'])
    expect((await list({ email, limit: 1, offset: 1 })).items.map(({ message }) => message)).toEqual(['first'])
    await review(all.items[0]!.id, 'reviewed')
    expect((await list({ email, review_status: 'reviewed' })).items.map(({ message }) => message)).toEqual(['second'])
    expect((await list({ email, review_status: 'archived' })).total).toBe(0)
  })

  test('stands beside those who signed up', async () => {
    const { email, merchantId } = await signUp(admin)
    expect((await list({ email, source: 'self_serve_signup' })).items).toMatchObject([
      { email, merchant_id: merchantId, message: undefined, review_status: 'open' },
    ])
  })

  test.each([
    [{ email: 'nobody' }, 'email'],
    [{ name: '' }, 'name'],
    [{ message: 'x'.repeat(4001) }, 'message'],
    [{ source: 'self_serve_signup' }, 'source'],
    [{ phone: 'call me' }, 'phone'],
  ])('is refused with its field: %#', async (fields, field) => {
    await expect(write(fields)).rejects.toEqual(refusal('validation_error', { field }))
  })
})

describe('a review', () => {
  test('sets any status, and each change is on record once', async () => {
    const email = `${randomUUID()}@example.com`
    await write({ email })
    const { id } = (await list({ email })).items[0]!
    for (const status of ['archived', 'open', 'reviewed', 'reviewed'])
      expect((await review(id, status)).inquiry).toMatchObject({ id, review_status: status })
    const { rows } = await admin.worker.query<{ payload: string }>(
      `SELECT encode(payload, 'escape') AS payload FROM outbox
        WHERE type = 'audit.recorded' AND position($1 IN encode(payload, 'escape')) > 0 ORDER BY seq`,
      [id],
    )
    expect(rows.map(({ payload }) => payload.includes('contact_inquiry.update'))).toEqual([true, true, true])
  })

  test('is refused for what there is not, and to who may not', async () => {
    await expect(review(randomUUID(), 'reviewed')).rejects.toEqual(refusal('not_found'))
    await expect(review('nonsense', 'reviewed')).rejects.toEqual(refusal('not_found'))
    await expect(review(randomUUID(), 'lost')).rejects.toEqual(refusal('validation_error', { field: 'review_status' }))
    const { caller } = await signUp(admin)
    await expect(list({}, caller)).rejects.toEqual(refusal('forbidden'))
    await expect(review(randomUUID(), 'reviewed', caller)).rejects.toEqual(refusal('forbidden'))
  })
})

test('the capture app is told of packages and key while the operator has it on, and nothing else while it is off', async () => {
  const settings = { OTA_CAPTURE_PACKAGES: 'com.one.app, com.two.app', OTA_CAPTURE_PUBLIC_KEY: 'a key' }
  const ask = async (other: Record<string, string>) => {
    const started = await startAdmin({ ...settings, ...other })
    try {
      return await started.system.as(publicCaller()).getCaptureConfig({})
    } finally {
      await started.stop()
    }
  }
  expect(await ask({})).toEqual({ enabled: false, package_allowlist: [], public_key: undefined })
  expect(await ask({ OTA_CAPTURE_ENABLED: 'on' })).toEqual({
    enabled: true,
    package_allowlist: ['com.one.app', 'com.two.app'],
    public_key: 'a key',
  })
})
