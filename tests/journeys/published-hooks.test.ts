import { createHmac, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { eventually, sharedMesh } from '@svc/testing'
import { publishedBodies } from '@svc/testing/published-bodies'
import pg from 'pg'
import { Api, answered, type Reply, type SignedUp, signUp } from './merchant.ts'
import { topUp } from './money.ts'

const system = sharedMesh('journeys')
const secret = `secret-${randomUUID()}`
const domain = `${randomUUID()}.example.com`
let merchant: SignedUp
let ingestion: pg.Pool

const hmac = (algorithm: string, spelling: 'base64' | 'hex') => (body: Buffer) =>
  createHmac(algorithm, secret).update(body).digest(spelling)

const AT_ONCE = 50

interface Sender {
  path: () => string
  signature: string
  sign: (body: Buffer) => string
  /** Beside the signature; the delivery's id, which nobody signs, is another at each call. */
  headers?: (file: string) => Record<string, string>
}

const SENDERS: Record<string, Sender> = {
  'storefront-a': {
    path: () => '/webhooks/storefront-a',
    signature: 'x-storefront-a-hmac-sha256',
    sign: hmac('sha256', 'base64'),
    headers: (file) => ({
      'x-storefront-a-shop-domain': domain,
      'x-storefront-a-topic': topicOfA(nameOf(file)),
      'x-storefront-a-webhook-id': randomUUID(),
    }),
  },
  'storefront-b': {
    path: () => `/webhooks/storefront-b/${merchant.merchantId}`,
    signature: 'x-storefront-b-signature',
    sign: hmac('sha256', 'base64'),
    headers: (file) => ({ 'x-storefront-b-topic': topicOfB(nameOf(file)), 'x-storefront-b-delivery-id': randomUUID() }),
  },
  'payments-a': {
    path: () => `/webhooks/payments-a/${merchant.merchantId}`,
    signature: 'x-payments-a-signature',
    sign: hmac('sha512', 'hex'),
  },
  'payments-b': {
    path: () => `/webhooks/payments-b/${merchant.merchantId}`,
    signature: 'payments-b-signature',
    sign: hmac('sha256', 'base64'),
  },
  'messaging-a': {
    path: () => `/webhooks/messaging-a/${merchant.merchantId}`,
    signature: 'x-messaging-a-signature',
    sign: hmac('sha512', 'hex'),
  },
}

/** What each of the channel is posted as, and whose signature that is. */
const CHANNELS = [...Object.keys(SENDERS), 'email-a']
const signerOf = (channel: string): string => (channel === 'email-a' ? 'platform' : merchant.merchantId)

/** Without the folder of its channel. */
const nameOf = (file: string): string => file.slice(file.indexOf('/') + 1)

/** What the topic of a published body is. */
const topicOfA = (file: string): string => {
  if (/redact|data_request/.test(file)) return file.replace('.json', '').replace('-', '/')
  if (file.startsWith('app-')) return 'app/uninstalled'
  if (file.startsWith('fulfillment')) return 'fulfillments/create'
  if (file.startsWith('refunds')) return 'refunds/create'
  if (/^orders?-edited/.test(file)) return 'orders/edited'
  return file.startsWith('orders-delete') ? 'orders/delete' : 'orders/updated'
}
const topicOfB = (file: string): string => {
  if (file.startsWith('action')) return 'action.my_hook'
  return file.startsWith('order.deleted') ? 'order.deleted' : 'order.updated'
}

beforeAll(async () => {
  ingestion = new pg.Pool({ connectionString: system.databaseUrls['ingestion']?.worker, max: 2 })
  ingestion.on('error', () => {})
  merchant = await signUp(system.baseUrl)
  await topUp(system, merchant.owner, 10_000_000)
  for (const channel of CHANNELS) {
    const shop = channel === 'storefront-a' ? { shop_domain: domain } : {}
    const settings = {
      ...(channel !== 'email-a' && { secret }),
      pickup: { address: '12 Marina Road, Lagos' },
      ...shop,
    }
    await eventually(async () =>
      answered(200, await merchant.owner.send('PUT', `/v1/me/ingestion/${channel}`, settings)),
    )
  }
})
afterAll(() => ingestion?.end())

/** Posts a body as its third party would: until it is heard within 5 s, which a busy machine may take for fifty at once. */
const post = (channel: string, file: string, body: Buffer, signed = body): Promise<Reply> =>
  eventually(async () => {
    const reply = await postOnce(channel, file, body, signed)
    return reply.status === 503 ? false : reply
  })

async function postOnce(channel: string, file: string, body: Buffer, signed: Buffer): Promise<Reply> {
  if (channel === 'email-a') return postMail(body, signed === body ? 'good' : 'bad')
  const { path, signature, sign, headers } = SENDERS[channel]!
  const sent = { [signature]: sign(signed), ...headers?.(file) }
  return new Api(system.baseUrl).send('POST', path(), body, sent)
}

/** The double of the mail provider has the platform's secret: it signs what it is told to send, each time under another id. */
async function postMail(body: Buffer, sign: string): Promise<Reply> {
  const order = { provider: 'email-a', body: body.toString(), sign }
  const sent = answered(200, await new Api(system.providersUrl).post('/__control/emit', order))
  const [{ status, body: text }] = sent.body.deliveries
  return { ...sent, status, body: JSON.parse(text) }
}

const taken = async (channel: string, file: string, body: Buffer) =>
  answered(200, await post(channel, file, body)).body as { id: string; status: string }

/** Of so many deliveries at once one is news, unless the event had come before, and all are told the same id. */
async function takenOnce(channel: string, file: string, body: Buffer) {
  const many = await Promise.all(Array.from({ length: AT_ONCE }, () => taken(channel, file, body)))
  expect([file, new Set(many.map(({ id }) => id)).size]).toEqual([file, 1])
  const news = many.filter(({ status }) => status !== 'duplicate')
  expect([file, news.length <= 1]).toEqual([file, true])
  return news[0] ?? many[0]!
}

/** Mail of the samples is to a merchant that is none here; ours has it in that one's place. */
const addressed = (body: Buffer): Buffer =>
  Buffer.from(
    body.toString('latin1').replaceAll('store-3f0c7f5e-6a53-4c0f-9a53-6d0f1a1f2b3c', `store-${merchant.merchantId}`),
    'latin1',
  )

function flipped(body: Buffer): Buffer {
  const other = Buffer.from(body)
  const middle = other.length >> 1
  other[middle]! ^= 1
  return other
}

/** The same said by other bytes: its fields in the opposite order. */
function reordered(body: Buffer): Buffer {
  try {
    const value = JSON.parse(body.toString()) as Record<string, unknown>
    return Buffer.from(JSON.stringify(Object.fromEntries(Object.entries(value).toReversed())))
  } catch {
    return body
  }
}

;(publishedBodies('storefront-b').arePresent ? describe : describe.skip)('each published body', () => {
  test.each([
    ['storefront-a', 20],
    ['storefront-b', 20],
    ['payments-a', 30],
    ['payments-b', 15],
    ['messaging-a', 7],
    ['email-a', 7],
  ] as const)(
    'of %s is kept once though it comes fifty times at once, and again, cut short, with a bit changed, its fields moved',
    async (channel, atLeast) => {
      const { files: all, read } = publishedBodies(channel)
      const files = all.filter((name) => /\.(json|body)$/.test(name))
      expect(files.length).toBeGreaterThanOrEqual(atLeast)
      /** By id, the bytes that were first answered by it. */
      const kept = new Map<string, Buffer>()
      const keep = ({ id, status }: { id: string; status: string }, body: Buffer) => {
        if (status !== 'duplicate') kept.set(id, body)
        return id
      }
      for (const file of files) {
        const body = addressed(read(file))
        const id = keep(await takenOnce(channel, file, body), body)
        expect([file, await taken(channel, file, body)]).toMatchObject([file, { id, status: 'duplicate' }])
        for (const other of [body.subarray(0, body.length >> 1), flipped(body), reordered(body)])
          keep(await taken(channel, file, other), other)
      }
      const [first = ''] = files
      // What others signed is none of it.
      const [body, refused] = [read(first), [401, 'invalid_signature']]
      const forged = await post(channel, first, flipped(body), body)
      expect([forged.status, forged.body.error]).toEqual(refused)

      const { rows } = await ingestion.query<{ id: string }>(
        'SELECT id FROM inbound_hooks WHERE id = ANY($1) AND signer = $2 ORDER BY id',
        [[...kept.keys()], signerOf(channel)],
      )
      expect(rows.map(({ id }) => id)).toEqual([...kept.keys()].toSorted())
      await ended(channel, [...kept.keys()])
    },
  )

  test('of a ping is answered 200, without a signature', async () => {
    const path = `/webhooks/storefront-b/${randomUUID()}`
    const ping = publishedBodies('storefront-b').read('storefront-b/ping.txt')
    const sent = await new Api(system.baseUrl).send('POST', path, ping, {
      'content-type': 'application/x-www-form-urlencoded',
    })
    expect([sent.status, sent.body]).toEqual([200, { received: true, status: 'ignored', id: null, reason: 'ping' }])
  })
})

/** Every hook of a channel has come to something, with a reason where it is not an order, and of no order there are two. */
async function ended(channel: string, ids: readonly string[]): Promise<void> {
  const { merchantId } = merchant
  await eventually(async () => {
    const { rows } = await ingestion.query(
      `SELECT id FROM inbound_hooks WHERE id = ANY($1) AND state IN ('received', 'retrying') ORDER BY id`,
      [ids],
    )
    return rows.length === 0
  })
  const { rows: wrong } = await ingestion.query(
    `SELECT id, state, reason FROM inbound_hooks
      WHERE id = ANY($1)
        AND (reason = 'internal_error' OR (state IN ('dead', 'ignored') AND reason IS NULL)) ORDER BY id`,
    [ids],
  )
  expect(wrong).toEqual([])
  const { rows: doubled } = await ingestion.query(
    `SELECT external_order_id FROM normalization_jobs
      WHERE merchant_id = $1 AND channel = $2 AND outcome = 'order' AND order_id IS NOT NULL
      GROUP BY external_order_id HAVING count(DISTINCT order_id) > 1 ORDER BY 1`,
    [merchantId, channel],
  )
  expect(doubled).toEqual([])
}
