import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import type { Caller } from '@svc/grpc'
import { eventually, merchantCaller, type Receiver, receiver } from '@svc/testing'
import { startWebhook, type TestWebhook } from './start-webhook.ts'

let mails: Receiver
let target: Receiver
let service: TestWebhook
let clockMs = 0

beforeAll(async () => {
  mails = await receiver({ respond: () => ({ body: '{"id":"1"}' }) })
  service = await startWebhook({ MAIL_API_URL: `${mails.url}/email-a`, MAIL_API_KEY: 'the key' })
})
afterAll(async () => {
  await service?.stop()
  await mails?.close()
})
beforeEach(async () => {
  target = await receiver({ respond: () => ({ status: 410 }) })
})
afterEach(() => target?.close())

async function merchant(): Promise<{ caller: Caller; merchantId: string; email: string }> {
  const caller = merchantCaller()
  const merchantId = caller.merchantId as string
  const email = `${merchantId}@example.com`
  await service.patch(caller, { url: target.url, enabled: true })
  return { caller, merchantId, email }
}

const mailsTo = (email: string) => mails.requests.filter(({ body }) => body.includes(email))
const subjectOf = (body: unknown) => (body as { subject: string }).subject

async function advance(ms: number): Promise<void> {
  clockMs += ms
  await service.database.shiftClock(clockMs)
}

describe('the owner of a failing endpoint', () => {
  test('gets one mail at the first dead delivery, and none at the next', async () => {
    const { merchantId, email } = await merchant()
    await service.announceMerchant({ id: merchantId, name: 'Ada', email })
    await service.announce({ merchantId })
    const mail = await mails.waitFor(({ body }) => body.includes(email))
    expect(mail).toMatchObject({ method: 'POST', path: '/email-a/emails' })
    expect(mail.headers).toMatchObject({ authorization: 'Bearer the key' })
    expect(mail.headers['idempotency-key']).toMatch(/^[0-9a-f-]{36}$/)
    expect(mail.json()).toMatchObject({
      to: [email],
      subject: expect.stringContaining('could not be delivered'),
      tags: [{ name: 'template', value: 'webhook_first_dead' }],
    })
    await service.announce({ merchantId }, { merchantId })
    await eventually(async () => {
      const rows = await service.sql(`SELECT 1 FROM delivery WHERE merchant_id = $1 AND status = 'dead'`, [merchantId])
      return rows.length === 3
    })
    const alerts = await service.sql('SELECT kind, sent_at IS NOT NULL AS sent FROM alert WHERE merchant_id = $1', [
      merchantId,
    ])
    expect(alerts).toEqual([{ kind: 'first_dead', sent: true }])
    expect(mailsTo(email)).toHaveLength(1)
  })

  test('gets the mail late rather than never: address unknown, provider down', async () => {
    const { merchantId, email } = await merchant()
    await service.announce({ merchantId })
    await eventually(
      async () => (await service.sql('SELECT 1 FROM alert WHERE merchant_id = $1', [merchantId])).length === 1,
    )
    mails.respond((request) =>
      request.body.includes(email) && mailsTo(email).length === 1 ? { status: 503 } : { body: '{}' },
    )
    await service.announceMerchant({ id: merchantId, name: 'Bob', email })
    await mails.waitFor(({ body }) => body.includes(email))
    await eventually(async () => {
      const [row] = await service.sql<{ waits: boolean }>(
        'SELECT sent_at IS NULL AND next_at > app_now() AS waits FROM alert WHERE merchant_id = $1',
        [merchantId],
      )
      return row?.waits
    })
    await advance(3_600_000)
    await eventually(() => mailsTo(email).length === 2)
    const keys = mailsTo(email).map(({ headers }) => headers['idempotency-key'])
    expect(new Set(keys).size).toBe(1)
  })

  test('gets one mail when fifty attempts in a row have failed', async () => {
    const { merchantId, email } = await merchant()
    await service.announceMerchant({ id: merchantId, name: 'Cy', email })
    await service.sql(
      'INSERT INTO lane (merchant_id, is_test, due_at, consecutive_failures) VALUES ($1, true, app_now(), 48)',
      [merchantId],
    )
    target.respond(() => ({ status: 500 }))
    const subjects = () => mailsTo(email).map((mail) => subjectOf(mail.json()))
    await service.announce({ merchantId }, { merchantId }, { merchantId })
    const failures = async () => {
      const [lane] = await service.sql<{ failures: number }>(
        'SELECT consecutive_failures AS failures FROM lane WHERE merchant_id = $1',
        [merchantId],
      )
      return lane?.failures
    }
    await eventually(async () => (await failures()) === 49)
    expect(subjects()).toEqual([])
    await advance(30_000)
    await eventually(async () => (await failures()) === 50)
    await eventually(() => subjects().length === 1)
    await advance(30_000)
    await eventually(async () => (await failures()) === 51)
    expect(subjects()).toEqual([expect.stringContaining('keeps failing')])
  })
})
