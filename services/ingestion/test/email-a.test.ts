import { createHash, createHmac, randomBytes, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { eventually, merchantCaller } from '@svc/testing'
import { startIngestion, type TestIngestion } from './start-ingestion.ts'

const KEY = randomBytes(24)
const SECRET = `whsec_${KEY.toString('base64')}`
const OLD = randomBytes(24)
const DOMAIN = 'in.example.com'

let ingestion: TestIngestion
let merchantId: string
beforeAll(async () => {
  ingestion = await startIngestion({
    EMAIL_INBOUND_SECRET: SECRET,
    EMAIL_INBOUND_PREVIOUS_SECRET: `whsec_${OLD.toString('base64')}`,
    EMAIL_INBOUND_DOMAIN: DOMAIN,
  })
  merchantId = await ingestion.knownMerchant()
})
afterAll(() => ingestion.stop())

const seconds = (ago = 0) => String(Math.floor(Date.now() / 1000) - ago)

interface Sent {
  key?: Buffer
  timestamp?: string
  prefix?: string
  headers?: Array<{ name: string; value: string }>
}

function send(body: string, { key = KEY, timestamp = seconds(), prefix = 'svix', headers }: Sent = {}) {
  const id = `msg_${randomUUID()}`
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')
  const named = [
    { name: `${prefix}-id`, value: id },
    { name: `${prefix}-timestamp`, value: timestamp },
    { name: `${prefix}-signature`, value: `v2,nobody v1,${'A'.repeat(43)}= v1,${signature}` },
  ]
  return ingestion
    .anyone()
    .receiveHook({ channel: 'email-a', headers: headers ?? named, body: Buffer.from(body), exhausted_signers: [] })
}

const mail = (data: Record<string, unknown> = {}, type = 'email.received') =>
  JSON.stringify({
    type,
    created_at: '2026-02-22T23:41:12.126Z',
    data: {
      email_id: randomUUID(),
      from: 'Ada <ada@example.com>',
      to: [`Shop Orders <STORE-${merchantId}+lagos@${DOMAIN}>`],
      cc: [],
      subject: 'Order 17',
      attachments: [],
      ...data,
    },
  })

describe('mail to a merchant', () => {
  test('with an order in its subject is kept, once, and waits for a person to read it', async () => {
    const body = mail()
    const { id, status } = await send(body)
    expect(status).toBe('accepted')
    await eventually(async () => (await ingestion.stateOf(id!)) === 'dead')
    const { items } = await ingestion
      .operator()
      .listDeadLetters({ limit: 0, offset: 0, merchant_id: merchantId, include_resolved: false })
    expect(items).toContainEqual(expect.objectContaining({ id, channel: 'email-a', error: 'needs_details' }))
    expect(await send(body)).toMatchObject({ id, status: 'duplicate' })
  })

  const pdf = { filename: 'order.pdf', content_type: 'application/pdf' }
  test.each([
    ['without a keyword but with a PDF', { subject: 'Fwd: receipt', attachments: [pdf] }],
    ['whose address stands in received_for alone', { to: ['x@example.com'], received_for: [`store-ID@${DOMAIN}`] }],
    ['with a copy to the merchant', { to: [], cc: [`<store-ID@${DOMAIN}>`] }],
  ])('%s is taken', async (_what, data) => {
    const body = mail(data).replaceAll('store-ID', `store-${merchantId}`)
    expect(await send(body)).toMatchObject({ status: 'accepted' })
  })

  test.each([
    ['with neither keyword nor attachment', { subject: 'Hello' }],
    [
      'with an attachment that nobody reads',
      { subject: 'Hi', attachments: [{ filename: 'a.exe', content_type: 'application/pdf' }] },
    ],
    ['of another domain', { to: ['store-ID@elsewhere.example.com'] }],
    ['to nobody here', { to: [`store-${randomUUID()}@${DOMAIN}`] }],
    ['to no address of a merchant', { to: [`hello@${DOMAIN}`] }],
  ])('%s is ignored', async (_what, data) => {
    const body = mail(data).replaceAll('store-ID', `store-${merchantId}`)
    expect(await send(body)).toMatchObject({ status: 'ignored', id: expect.any(String) })
  })

  test('is an order by the word that its merchant has set, and by no other then', async () => {
    const owner = await ingestion.knownMerchant()
    const put = { channel: 'email-a', subject_keyword: 'Bestellung', clear_fields: [] }
    await ingestion.channels.as(merchantCaller({ merchantId: owner, isTest: false })).putChannelSettings(put)
    const to = [`store-${owner}@${DOMAIN}`]
    expect(await send(mail({ to, subject: 'Neue BESTELLUNG: 17' }))).toMatchObject({ status: 'accepted' })
    expect(await send(mail({ to, subject: 'Order 17' }))).toMatchObject({ status: 'ignored', reason: 'no_order' })
    expect(await send(mail({ to, subject: 'Bestellungen' }))).toMatchObject({ status: 'ignored' })
  })

  test('that is not known yet is ignored, and taken when it comes again once the merchant is known, once', async () => {
    const late = randomUUID()
    const body = mail({ to: [`store-${late}@${DOMAIN}`] })
    const { id, status, reason } = await send(body)
    expect({ status, reason }).toEqual({ status: 'ignored', reason: 'unknown_recipient' })
    expect(await send(body)).toMatchObject({ id, status: 'duplicate' })
    await ingestion.knownMerchant(late)
    expect(await send(body)).toMatchObject({ id, status: 'accepted' })
    await eventually(async () => (await ingestion.stateOf(id!)) === 'dead')
    expect(await send(body)).toMatchObject({ id, status: 'duplicate' })
  })

  test('that was delivered is no mail that came', async () => {
    expect(await send(mail({}, 'email.delivered'))).toMatchObject({ status: 'ignored' })
  })
})

describe('mail to several merchants', () => {
  const storeOf = (id: string) => `store-${id}@${DOMAIN}`
  const emailIdOf = (body: string) => (JSON.parse(body) as { data: { email_id: string } }).data.email_id

  /** Whose jobs there are of a mail, in the order of their ids. */
  const jobsOf = async (body: string) => {
    const jobs = await ingestion.sql<{ id: string; owner: string }>(
      'SELECT id, merchant_id AS owner FROM normalization_jobs WHERE external_order_id = $1 ORDER BY merchant_id',
      [emailIdOf(body)],
    )
    return { ids: jobs.map(({ id }) => id), owners: jobs.map(({ owner }) => owner) }
  }

  test('is kept once for each that is known here, whoever else it is to', async () => {
    const other = await ingestion.knownMerchant()
    const body = mail({ to: [merchantId, randomUUID(), other].map(storeOf), cc: [storeOf(other)] })
    expect(await send(body)).toMatchObject({ status: 'accepted' })
    expect(await send(body)).toMatchObject({ status: 'duplicate' })
    expect((await jobsOf(body)).owners).toEqual([merchantId, other].toSorted())
  })

  test('whose first address is of nobody here is taken for the one that is known, and for the other when it comes again', async () => {
    const late = randomUUID()
    const body = mail({ to: [late, merchantId].map(storeOf) })
    expect(await send(body)).toMatchObject({ status: 'accepted' })
    expect(await send(body)).toMatchObject({ status: 'duplicate' })
    expect((await jobsOf(body)).owners).toEqual([merchantId])
    await ingestion.knownMerchant(late)
    expect(await send(body)).toMatchObject({ status: 'accepted' })
    expect(await send(body)).toMatchObject({ status: 'duplicate' })
    expect((await jobsOf(body)).owners).toEqual([merchantId, late].toSorted())
  })

  test('is an order of each by its own word', async () => {
    const other = await ingestion.knownMerchant()
    const put = { channel: 'email-a', subject_keyword: 'Bestellung', clear_fields: [] }
    await ingestion.channels.as(merchantCaller({ merchantId: other, isTest: false })).putChannelSettings(put)
    const body = mail({ to: [other, merchantId].map(storeOf) })
    expect(await send(body)).toMatchObject({ status: 'accepted' })
    expect((await jobsOf(body)).owners).toEqual([merchantId])
  })

  test('that was kept for the first alone is not kept for that one again', async () => {
    const other = await ingestion.knownMerchant()
    const body = mail({ to: [merchantId, other].map(storeOf) })
    const key = createHash('sha256')
      .update(`email.received\n${emailIdOf(body)}`)
      .digest('hex')
    await ingestion.sql(
      `INSERT INTO inbound_hooks (id, channel, signer, dedupe_key, merchant_id, headers, body, event, state, attempts, received_at, handed_on_at)
       VALUES (gen_random_uuid(), 'email-a', 'platform', $1, $2, '{}', $3, 'email.received', 'applied', 1, now(), now())`,
      [key, merchantId, Buffer.from(body)],
    )
    expect(await send(body)).toMatchObject({ status: 'accepted' })
    expect(await send(body)).toMatchObject({ status: 'duplicate' })
    expect((await jobsOf(body)).owners).toEqual([other])
  })

  test('stays that of each when it is handed on again', async () => {
    const other = await ingestion.knownMerchant()
    const body = mail({ to: [merchantId, other].map(storeOf) })
    await send(body)
    const before = await jobsOf(body)
    for (const id of before.ids) {
      await eventually(async () => (await ingestion.stateOf(id)) === 'dead')
      await ingestion.operator().retryDeadLetter({ id })
      await eventually(async () => (await ingestion.stateOf(id)) === 'dead')
    }
    expect(await jobsOf(body)).toEqual(before)
  })
})

describe('a notice', () => {
  test('is believed by the previous key too, and under the other names of its headers', async () => {
    expect(await send(mail(), { key: OLD })).toMatchObject({ status: 'accepted' })
    expect(await send(mail(), { prefix: 'webhook' })).toMatchObject({ status: 'accepted' })
  })

  test.each<[string, () => Sent]>([
    ['of another key', () => ({ key: randomBytes(24) })],
    ['of an hour ago', () => ({ timestamp: seconds(3_600) })],
    ['of an hour ahead', () => ({ timestamp: seconds(-3_600) })],
    ['whose time is none', () => ({ timestamp: 'now' })],
    ['without headers', () => ({ headers: [] })],
  ])('%s is refused', async (_what, sent) => {
    await expect(send(mail(), sent())).rejects.toMatchObject({ code: 'invalid_signature' })
  })

  test('that is no JSON is accepted, and is a dead letter', async () => {
    const { id } = await send(`hello ${randomUUID()}`)
    expect(await ingestion.stateOf(id!)).toBe('dead')
  })
})
