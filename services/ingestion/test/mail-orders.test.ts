import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { NormalizationServiceService } from '@svc/contracts/ingestion/v1/normalization_service'
import { configuredObjectStore, type ObjectStore } from '@svc/object-store'
import { fetchTextReaders } from '@svc/servers'
import { adminCaller, eventually, testClient } from '@svc/testing'
import { createProviders, type Providers } from '../../../deploy/local/src/providers/server.ts'
import { forgetHooks } from '../src/use-cases/forget-hooks.ts'
import { forgetAttachments } from '../src/use-cases/mails/forget-attachments.ts'
import { EMAIL_SECRET, mailNotice, sendMail } from './email.ts'
import { type IntakeMesh, intakeMesh, type Shop } from './intake-mesh.ts'
import { pdfOf, pictureOf, png } from './picture.ts'

let providers: Providers
let mesh: IntakeMesh
let normalization: ReturnType<typeof testClient<typeof NormalizationServiceService>>
/** Null where neither the machine nor Debian has them. */
let readers: Awaited<ReturnType<typeof fetchTextReaders>> | null = null
const deaths = new Set<string>()
/** Writes after which, or before which, a process is never heard of again. */
const frozen = { beforeWrite: false, afterWrite: false }
const released = Promise.withResolvers<never>()
released.promise.catch(() => {})

const object = () => ({
  objectStoreBucketUrl: `${providers.url()}/object-store/mail`,
  objectStoreRegion: 'us-east-1',
  objectStoreAccessKeyId: 'local-access-key',
  objectStoreSecretAccessKey: 'local-secret-key',
})

/** The store, and a process that stops for good beside it. */
function dyingStore(store: ObjectStore): ObjectStore {
  return {
    ...store,
    async write(key, file, signal) {
      if (frozen.beforeWrite) {
        frozen.beforeWrite = false
        return released.promise
      }
      await store.write(key, file, signal)
      if (frozen.afterWrite) {
        frozen.afterWrite = false
        return released.promise
      }
    },
  }
}

beforeAll(async () => {
  providers = createProviders()
  await providers.start()
  readers = await fetchTextReaders(join(import.meta.dirname, '../../../.local/cache'), (line) => {
    process.stderr.write(`${line}\n`)
  }).catch((error: unknown) => {
    process.emitWarning(`SKIPPED: nothing reads pictures here: ${String(error)}`)
    return null
  })
  const failpoint = (name: string) => {
    if (deaths.delete(name)) throw new Error(`died when ${name}`)
  }
  mesh = await intakeMesh(
    {
      EMAIL_INBOUND_SECRET: EMAIL_SECRET,
      MAIL_API_URL: `${providers.url()}/email-a`,
      MAIL_API_KEY: 're_test',
      MAIL_ALLOW_LOCAL: 'true',
      ATTACHMENT_MAX_BYTES: '100000',
      ATTACHMENT_MAX_ATTEMPTS: '3',
      ATTACHMENT_BYTES_PER_DAY: '250000',
      OCR_MAX_PIXELS: '3000000',
      OCR_LANES: '4',
      ...(readers && { OCR_COMMAND: readers.ocr, PDF_TEXT_COMMAND: readers.pdf }),
    },
    { failpoint, objectStore: dyingStore(configuredObjectStore(object())!) },
  )
  normalization = testClient(NormalizationServiceService, {
    address: mesh.ingestion.service.address(),
    to: 'ingestion',
  })
})
afterAll(async () => {
  released.reject(new Error('the test is over'))
  normalization?.close()
  await mesh?.stop()
  await providers?.stop()
})

const control = (path: string, body: object) =>
  fetch(`${providers.url()}/__control/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

interface Attachment {
  id: string
  filename: string
  content_type: string
  content_base64: string
  size?: number
  download_url?: string
}

interface Received {
  text?: string | null
  html?: string | null
  attachments?: Attachment[]
  urls_for_seconds?: number
}

const LINES = ['Delivery address: 14 Marina Road, Lekki', 'Phone: +234 813 123 4567']
const TEXT = LINES.join('\n')
const NEEDED = { dropoff_address: '14 Marina Road, Lekki', customer_phone: '+2348131234567' }
const file = (content_type: string, filename: string, bytes: Buffer) => ({
  id: randomUUID(),
  filename,
  content_type,
  content_base64: bytes.toString('base64'),
})
const slip = () =>
  file('image/png', 'slip.png', pictureOf(['ADDRESS: 14 MARINA ROAD LEKKI', 'PHONE: +2348131234567', 'NOTE: RED DOOR']))

/** A merchant whose orders by mail are collected somewhere. */
async function shopOfMail(): Promise<Shop> {
  const shop = await mesh.shop()
  await mesh.put(shop, 'email-a', { pickup: { address: '12 Marina Road, Lagos' } })
  return shop
}

/** A mail comes: the provider has it, and tells of it. */
async function comes(shop: Shop, received: Received, before: (emailId: string) => Promise<unknown> = async () => {}) {
  const emailId = randomUUID()
  await before(emailId)
  await control(`emails/${emailId}`, { subject: 'Order 17', ...received })
  const told = (received.attachments ?? []).map(({ id, filename, content_type }) => ({ id, filename, content_type }))
  const notice = mailNotice(shop.merchantId, { email_id: emailId, attachments: told })
  const { id } = await sendMail(mesh.ingestion, notice)
  return { id: id!, emailId, notice }
}

const ordersUnder = async (shop: Shop, emailId: string) =>
  (await mesh.ordersOf(shop.merchantId)).filter(({ external_order_id }) => external_order_id === emailId)

const operator = () => normalization.as(adminCaller())
const attachmentsOf = async (shop: Shop) =>
  (await operator().listAttachmentOcrJobs({ limit: 0, offset: 0, merchant_id: shop.merchantId })).items
const settled = (shop: Shop, count = 1) =>
  eventually(async () => {
    const jobs = await attachmentsOf(shop)
    return jobs.length === count && jobs.every(({ status }) => status !== 'pending') && jobs
  })

/** Whoever held the attachments of that merchant is long gone. */
const leaseEnds = (shop: Shop) =>
  mesh.ingestion.sql(
    `UPDATE attachment_ocr_jobs SET lease_until = now() - interval '1 minute' WHERE merchant_id = $1 AND lease IS NOT NULL`,
    [shop.merchantId],
  )

describe('a mail whose labelled lines tell all that an order needs', () => {
  test.each<[string, Received]>([
    ['text', { text: `Hello,\n\n${TEXT}\n\nThanks` }],
    ['page', { html: `<p>Hello</p>${LINES.map((line) => `<div>${line}</div>`).join('')}` }],
  ])('is one order by its %s, with what was fetched in its record', async (_what, received) => {
    const shop = await shopOfMail()
    const { id, emailId, notice } = await comes(shop, received)
    expect(await mesh.judged(id)).toMatchObject({ status: 'succeeded' })
    expect(await sendMail(mesh.ingestion, notice)).toMatchObject({ status: 'duplicate' })
    const [order, ...more] = await ordersUnder(shop, emailId)
    expect(more).toEqual([])
    const record = JSON.parse(order!.unified_json) as {
      standardized: object
      raw_payload: { data: object; email_received_body: object }
    }
    expect(record.standardized).toMatchObject({ ...NEEDED, pickup_address: '12 Marina Road, Lagos' })
    expect(record.raw_payload.data).toMatchObject({ email_id: emailId })
    expect(record.raw_payload.email_received_body).toMatchObject({
      subject: 'Order 17',
      download_url: expect.stringContaining(`/downloads/${emailId}/raw?`),
      expires_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    })
  })

  test('waits for its provider, and for a merchant that has told where it is collected', async () => {
    const shop = await mesh.shop()
    const emailId = randomUUID()
    await control('faults', {
      provider: 'email-a',
      match: { path: `/emails/receiving/${emailId}` },
      mode: 'status',
      count: 2,
    })
    await control(`emails/${emailId}`, { text: TEXT })
    const { id } = await sendMail(mesh.ingestion, mailNotice(shop.merchantId, { email_id: emailId }))
    expect(await mesh.judged(id)).toMatchObject({ status: 'failed', error: 'pickup_not_configured' })
    await mesh.put(shop, 'email-a', { pickup: { address: '12 Marina Road, Lagos' } })
    await operator().retryNormalizationJob({ id: id! })
    await eventually(async () => (await ordersUnder(shop, emailId)).length === 1)
  })
})

test('what lacks is a dead letter that names it, and an order once it is mended and begun anew', async () => {
  const shop = await shopOfMail()
  const { id, emailId } = await comes(shop, { text: 'Deliver to: 14 Marina Road, Lekki\nPhone: call me' })
  expect(await mesh.judged(id)).toMatchObject({ status: 'failed', error: 'needs_details' })
  const { items } = await operator().listNormalizationJobs({ limit: 0, offset: 0, merchant_id: shop.merchantId })
  expect(items).toEqual([expect.objectContaining({ id, fields: ['standardized.customer_phone'] })])
  await control(`emails/${emailId}`, { text: TEXT })
  await operator().retryNormalizationJob({ id })
  const [order] = await eventually(async () => {
    const orders = await ordersUnder(shop, emailId)
    return orders.length === 1 && orders
  })
  expect(JSON.parse(order!.unified_json)).toMatchObject({ standardized: NEEDED })
})

describe('attachments', () => {
  test('are fetched, kept in the store byte for byte, and read by the engine: what they tell is an order', async () => {
    if (!readers) return
    const shop = await shopOfMail()
    const attachment = slip()
    const { id, emailId } = await comes(shop, { text: 'See the picture.', attachments: [attachment] })
    expect(await mesh.judged(id)).toMatchObject({ status: 'succeeded' })
    const [job] = await settled(shop)
    const size = Buffer.from(attachment.content_base64, 'base64').length
    const [order] = await ordersUnder(shop, emailId)
    expect(job).toMatchObject({ status: 'succeeded', hook_id: id, order_id: order!.id, size_bytes: size })
    const key = `mail/${shop.merchantId}/${id}/${job!.id}`
    const stored = await configuredObjectStore(object())!.read(key, AbortSignal.timeout(60_000))
    const bytes = await buffer(stored!)
    expect(bytes.toString('base64')).toBe(attachment.content_base64)
    expect(JSON.parse(order!.unified_json)).toMatchObject({
      standardized: { dropoff_address: '14 MARINA ROAD LEKKI', customer_phone: '+2348131234567', notes: 'RED DOOR' },
    })
  })

  test('that are PDFs are read too', async () => {
    if (!readers) return
    const shop = await shopOfMail()
    const { id } = await comes(shop, { attachments: [file('application/pdf', 'order.pdf', pdfOf(LINES))] })
    expect(await mesh.judged(id)).toMatchObject({ status: 'succeeded' })
    expect(await settled(shop)).toEqual([expect.objectContaining({ status: 'succeeded' })])
  })

  const cut = (bytes: Buffer) => bytes.subarray(0, bytes.length - 20)
  test.each<[string, string, () => Attachment]>([
    ['is no picture', 'other_type', () => file('image/png', 'a.png', Buffer.from('<svg onload="alert(1)"/>'))],
    ['is truncated', 'image_truncated', () => file('image/png', 'a.png', cut(pictureOf(['PHONE: 1'])))],
    [
      'unpacks to more than may be',
      'image_too_large',
      () => file('image/png', 'a.png', png(60_000, 60_000, Buffer.alloc(9))),
    ],
    [
      'is larger than may be',
      'attachment_too_large',
      () => ({ ...file('application/pdf', 'a.pdf', Buffer.alloc(100_001, '%PDF-')), size: 10 }),
    ],
    [
      'says that it is',
      'attachment_too_large',
      () => ({ ...file('application/pdf', 'a.pdf', pdfOf(LINES)), size: 2 ** 40 }),
    ],
    [
      'lies in our own network',
      'download_refused',
      () => ({ ...slip(), download_url: 'https://169.254.169.254/latest/meta-data' }),
    ],
    ['lies at a name of it', 'download_refused', () => ({ ...slip(), download_url: 'http://10.0.0.1/' })],
    ['is no URL of the web', 'download_refused', () => ({ ...slip(), download_url: 'file:///etc/passwd' })],
  ])('of which one %s is refused: %s, and the mail is judged without it', async (_what, error, made) => {
    const shop = await shopOfMail()
    const { id } = await comes(shop, { text: TEXT.slice(0, 30), attachments: [made()] })
    expect(await settled(shop)).toEqual([expect.objectContaining({ status: 'failed', error })])
    expect(await mesh.judged(id)).toMatchObject({ status: 'failed', error: 'needs_details' })
  })

  test('whose URL has expired are asked for again, and given up after so many tries', async () => {
    const shop = await shopOfMail()
    const { id } = await comes(shop, { attachments: [slip()], urls_for_seconds: -60 })
    expect(await settled(shop)).toEqual([
      expect.objectContaining({ status: 'failed', error: 'service_unavailable', attempts: 3 }),
    ])
    expect(await mesh.judged(id)).toMatchObject({ status: 'failed', error: 'needs_details' })
  })

  const refusing = (emailId: string, status: number, count: number) =>
    control('faults', {
      provider: 'email-a',
      match: { path: `/downloads/${emailId}/*` },
      mode: 'status',
      status,
      count,
    })

  test('whose URL the store refuses are asked for again, by another URL', async () => {
    const shop = await shopOfMail()
    const { emailId } = await comes(shop, { text: TEXT, attachments: [slip()] }, (id) => refusing(id, 403, 2))
    const [job] = await settled(shop)
    expect(job).toMatchObject({ attempts: 3, size_bytes: expect.any(Number) })
    const asked = await fetch(`${providers.url()}/__control/requests`)
    const { requests } = (await asked.json()) as { requests: Array<{ path: string; query: { signature?: string } }> }
    const urls = requests.filter(({ path }) => path.startsWith(`/downloads/${emailId}/`))
    expect(new Set(urls.map(({ query }) => query.signature)).size).toBe(3)
  })

  test('that the provider has no longer are not asked for again', async () => {
    const shop = await shopOfMail()
    await comes(shop, { text: TEXT.slice(0, 30), attachments: [slip()] }, (id) => refusing(id, 410, 9))
    expect(await settled(shop)).toEqual([
      expect.objectContaining({ status: 'unavailable', error: 'attachment_not_found', attempts: 1 }),
    ])
  })

  test('do not keep a mail waiting whose text tells everything', async () => {
    const shop = await shopOfMail()
    const { id } = await comes(shop, { text: TEXT, attachments: [slip()], urls_for_seconds: -60 })
    expect(await mesh.judged(id)).toMatchObject({ status: 'succeeded' })
  })
})

describe('a mail past its time', () => {
  test('goes with what the store has of it, the object first: as long as the store keeps that, the mail stays', async () => {
    const shop = await shopOfMail()
    const { id } = await comes(shop, { text: TEXT, attachments: [slip()] })
    expect(await mesh.judged(id)).toMatchObject({ status: 'succeeded' })
    const [job] = await settled(shop)
    const store = configuredObjectStore(object())!
    const key = `mail/${shop.merchantId}/${id}/${job!.id}`
    await mesh.ingestion.sql(`UPDATE inbound_hooks SET received_at = app_now() - interval '31 days' WHERE id = $1`, [
      id,
    ])
    const { context } = mesh.ingestion.service
    const away = { ...context.objectStore!, remove: () => Promise.reject(new Error('the store is away')) }
    await forgetAttachments({ ...context, objectStore: away })
    await forgetHooks(context)
    expect([await mesh.ingestion.stateOf(id), (await store.look(key)) !== null]).toEqual(['applied', true])
    await forgetAttachments(context)
    await forgetHooks(context)
    expect([await mesh.ingestion.stateOf(id), await store.look(key)]).toEqual([undefined, null])
    expect(await attachmentsOf(shop)).toEqual([])
  })

  test('that is a dead letter stays, and the store is rid of its attachments: a retry fetches those the provider still has', async () => {
    const shop = await shopOfMail()
    const whole = pictureOf(['PHONE: 1'])
    const attachment = file('image/png', 'a.png', whole.subarray(0, whole.length - 20))
    const { id, emailId } = await comes(shop, { text: LINES[0]!, attachments: [attachment] })
    const { context } = mesh.ingestion.service
    const store = configuredObjectStore(object())!
    const size = whole.length - 20
    const isDead = () => eventually(async () => (await mesh.ingestion.stateOf(id)) === 'dead')
    const aged = (columns: readonly string[]) =>
      mesh.ingestion.sql(
        `UPDATE inbound_hooks SET ${columns.map((name) => `${name} = app_now() - interval '31 days'`).join(', ')} WHERE id = $1`,
        [id],
      )
    const look = async () => {
      const [job] = await settled(shop)
      const isStored = (await store.look(`mail/${shop.merchantId}/${id}/${job!.id}`)) !== null
      return [job!.status, job!.error, job!.size_bytes ?? null, isStored]
    }
    const kept = ['failed', 'image_truncated', size, true]

    await isDead()
    expect(await look()).toEqual(kept)
    // It came long ago, and has been handed on since.
    await aged(['received_at', 'dead_at'])
    await forgetAttachments(context)
    expect(await look()).toEqual(kept)

    await aged(['handed_on_at'])
    await forgetAttachments(context)
    await forgetHooks(context)
    expect([await mesh.ingestion.stateOf(id), await look()]).toEqual([
      'dead',
      ['failed', 'image_truncated', null, false],
    ])

    await operator().retryNormalizationJob({ id })
    await isDead()
    expect(await look()).toEqual(kept)

    await aged(['handed_on_at'])
    await forgetAttachments(context)
    await control(`emails/${emailId}`, { subject: 'Order 17', text: LINES[0]!, attachments: [] })
    await operator().retryNormalizationJob({ id })
    await isDead()
    expect(await look()).toEqual(['unavailable', 'attachment_not_found', null, false])
  })
})

describe('what is fetched of the attachments of a merchant', () => {
  const pages = () => file('application/pdf', 'a.pdf', Buffer.alloc(90_000, '%PDF-'))
  const sizes = async (shop: Shop, count: number) =>
    (await settled(shop, count))
      .map(({ size_bytes, error }) => size_bytes ?? error ?? null)
      .sort((one, other) => String(one).localeCompare(String(other)))

  test('in a day is bounded, however many come at the same time: the mail of those beyond goes on without them', async () => {
    const shop = await shopOfMail()
    const first = await comes(shop, { text: LINES[0]!, attachments: [pages(), pages(), pages(), pages()] })
    expect(await mesh.judged(first.id)).toMatchObject({ status: 'failed', error: 'needs_details' })
    expect(await sizes(shop, 4)).toEqual([90_000, 90_000, 'quota', 'quota'])
    const beyond = (await attachmentsOf(shop)).filter(({ error }) => error === 'quota')
    expect(beyond.map(({ status }) => status)).toEqual(['unavailable', 'unavailable'])

    const whole = await comes(shop, { text: TEXT, attachments: [pages()] })
    expect(await mesh.judged(whole.id)).toMatchObject({ status: 'succeeded' })
    expect(await sizes(shop, 5)).toEqual([90_000, 90_000, 'quota', 'quota', 'quota'])

    const other = await shopOfMail()
    await comes(other, { text: LINES[0]!, attachments: [pages()] })
    expect(await sizes(other, 1)).toEqual([90_000])
  })

  test('counts for a day, also where the store is rid of it: a retry takes up what was beyond', async () => {
    const shop = await shopOfMail()
    const { id } = await comes(shop, { text: LINES[0]!, attachments: [pages(), pages(), pages()] })
    expect(await mesh.judged(id)).toMatchObject({ status: 'failed', error: 'needs_details' })
    expect(await sizes(shop, 3)).toEqual([90_000, 90_000, 'quota'])
    await mesh.ingestion.sql(
      `UPDATE inbound_hooks SET received_at = app_now() - interval '31 days', dead_at = app_now() - interval '31 days',
         handed_on_at = app_now() - interval '31 days' WHERE id = $1`,
      [id],
    )
    await forgetAttachments(mesh.ingestion.service.context)
    const next = await comes(shop, { text: LINES[0]!, attachments: [pages()] })
    expect(await mesh.judged(next.id)).toMatchObject({ status: 'failed', error: 'needs_details' })
    const ofNext = async () => (await settled(shop, 4)).find(({ hook_id }) => hook_id === next.id)
    expect(await ofNext()).toMatchObject({ status: 'unavailable', error: 'quota' })
    await mesh.ingestion.sql(
      `UPDATE attachment_ocr_jobs SET counted_at = counted_at - interval '25 hours' WHERE merchant_id = $1`,
      [shop.merchantId],
    )
    await operator().retryNormalizationJob({ id: next.id })
    await eventually(async () => (await ofNext())?.size_bytes === 90_000)
  })
})

describe('a process that dies', () => {
  test.each(['beforeWrite', 'afterWrite'] as const)(
    '%s: the next fetches and stores the attachment under the same name, and the mail is one order',
    async (moment) => {
      const shop = await shopOfMail()
      frozen[moment] = true
      const { id, emailId } = await comes(shop, { text: TEXT, attachments: [slip()] })
      await eventually(async () => !frozen[moment])
      await leaseEnds(shop)
      mesh.ingestion.service.context.attachmentReader.wake()
      const [job] = await settled(shop)
      expect(job!.size_bytes).toBeGreaterThan(0)
      const [row] = await mesh.ingestion.sql<{ storage_key: string }>(
        'SELECT storage_key FROM attachment_ocr_jobs WHERE id = $1',
        [job!.id],
      )
      expect(await configuredObjectStore(object())!.look(row!.storage_key)).toMatchObject({
        sizeBytes: job!.size_bytes,
      })
      expect(await mesh.judged(id)).toMatchObject({ status: 'succeeded' })
      expect(await ordersUnder(shop, emailId)).toHaveLength(1)
    },
  )

  test.each(['job claimed', 'mail fetched', 'order made', 'order answered', 'attachment claimed', 'attachment read'])(
    'when %s leaves one order, and each attachment read once',
    async (moment) => {
      const shop = await shopOfMail()
      deaths.add(moment)
      const { id, emailId } = await comes(shop, { text: TEXT, attachments: [slip()] })
      await eventually(async () => !deaths.has(moment))
      await leaseEnds(shop)
      await mesh.ingestion.sql(
        `UPDATE normalization_jobs SET lease_until = now() - interval '1 minute' WHERE id = $1 AND lease IS NOT NULL`,
        [id],
      )
      expect(await mesh.judged(id)).toMatchObject({ status: 'succeeded' })
      await settled(shop)
      expect(await ordersUnder(shop, emailId)).toHaveLength(1)
    },
  )
})
