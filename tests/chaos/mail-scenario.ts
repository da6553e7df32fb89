import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fetchTextReaders } from '@svc/servers'
import { eventually, type Mesh, mesh } from '@svc/testing'
import pg from 'pg'
import { pdfOf } from '../../services/ingestion/test/picture.ts'
import { Api, answered, signUp } from '../journeys/merchant.ts'
import { topUp } from '../journeys/money.ts'
import { allEnded } from './all-ended.ts'
import { seeded } from './seeded.ts'

interface MailPlan {
  seed: number
  mails: number
  kills: number
  clients: number
}

interface MailFigures {
  seed: number
  /** The number of mails of which something had become at each kill. */
  killedAt: number[]
  accepted: number
  /** Notices that were not answered by 200, and came again. */
  repeated: number
  orders: number
  deadLetters: number
  /** Attachments in the store, and those whose text was read. */
  stored: number
  read: number
  /** Mails of which nothing became, or something else than they tell. */
  lost: string[]
  /** Mails of which more than one thing became. */
  doubled: string[]
  /** Objects that no row names, and rows whose object is not there. */
  strayObjects: string[]
  seconds: number
}

/** What stands where in a mail; `bare` lacks its phone and is no order. */
const KINDS = ['text', 'page', 'attachment', 'bare'] as const

interface Mail {
  id: string
  kind: (typeof KINDS)[number]
}

const ADDRESS = 'Address: 4 Admiralty Way, Lekki'
const PHONE = 'Phone: 0803 123 4567'
const PATIENT = { timeoutMs: 600_000, intervalMs: 25 }
/** Within it a kill meets the mail that comes next at any step. */
const KILL_WITHIN_MS = 400

/** As the provider keeps it, and the attachments that its notice names. */
function received({ kind }: Mail) {
  if (kind === 'text') return { subject: 'Order', text: `${ADDRESS}\n${PHONE}` }
  if (kind === 'page') return { subject: 'Order', html: `<p>${ADDRESS}</p><p>${PHONE}</p>` }
  if (kind === 'bare') return { subject: 'Order', text: ADDRESS }
  const content_base64 = pdfOf([PHONE]).toString('base64')
  const attachment = { id: randomUUID(), filename: 'order.pdf', content_type: 'application/pdf', content_base64 }
  return { subject: 'Order', text: ADDRESS, attachments: [attachment] }
}

/**
 * Sends notices of mail while the ingestion service is killed with SIGKILL at moments that the seed chooses, and counts what
 * became of each that was answered by 200. Where nothing reads PDFs, mail that needs one is no order.
 */
export async function runMailChaos(plan: MailPlan, say: (line: string) => void): Promise<MailFigures> {
  const started = Date.now()
  const readers = await fetchTextReaders(join(import.meta.dirname, '../../.local/cache'), say).catch(() => null)
  if (!readers) say('nothing reads PDFs here: mail that needs one is expected to be a dead letter')
  const environment = {
    RATE_HOOKS_PER_MINUTE: '1000000',
    OCR_LANES: '2',
    ...(readers && { OCR_COMMAND: readers.ocr, PDF_TEXT_COMMAND: readers.pdf }),
  }
  const system = await mesh({ spans: false, environment })
  const [ingestion, orders] = ['ingestion', 'order'].map((service) =>
    new pg.Pool({ connectionString: system.databaseUrls[service]?.worker, max: 2 }).on('error', () => {}),
  ) as [pg.Pool, pg.Pool]
  try {
    const merchantId = await openMailbox(system)
    const settled = async (): Promise<number> => {
      const { rows } = await ingestion.query<{ count: number }>(
        `SELECT count(*)::int FROM normalization_jobs WHERE merchant_id = $1 AND status <> 'pending'`,
        [merchantId],
      )
      return rows[0]!.count
    }
    let repeated = 0
    const killedAt: number[] = []
    const kill = async () => {
      const random = seeded(plan.seed)
      for (let killed = 0; killed < plan.kills; killed++) {
        const wanted = Math.floor(((killed + random()) * plan.mails) / plan.kills)
        const waitMs = random() * KILL_WITHIN_MS
        await eventually(async () => (await settled()) >= wanted, PATIENT)
        await wait(waitMs)
        await system.kill('ingestion')
        killedAt.push(await settled())
        say(`killed at ${killedAt.at(-1)} of ${plan.mails}, wanted ${Math.round(waitMs)} ms after ${wanted}`)
      }
    }
    const [mails] = await allEnded([sendMails(system, merchantId, plan, () => repeated++), kill()])
    // The first mail was sent to see whether the merchant is known.
    await eventually(async () => (await settled()) >= plan.mails, PATIENT)
    const isUnsettled = async () => {
      const { rows } = await ingestion.query(
        `SELECT FROM normalization_jobs j WHERE merchant_id = $1 AND (status = 'pending'
            OR EXISTS (SELECT FROM attachment_ocr_jobs a WHERE a.hook_id = j.id AND a.status = 'pending')) LIMIT 1`,
        [merchantId],
      )
      return rows.length > 0
    }
    await eventually(async () => !(await isUnsettled()), PATIENT)

    const { rows: dead } = await ingestion.query<{ id: string }>(
      `SELECT external_order_id AS id FROM normalization_jobs JOIN inbound_hooks USING (id)
        WHERE inbound_hooks.merchant_id = $1 AND state = 'dead'`,
      [merchantId],
    )
    const { rows: made } = await orders.query<{ id: string }>(
      'SELECT external_order_id AS id FROM orders WHERE merchant_id = $1',
      [merchantId],
    )
    const { rows: attachments } = await ingestion.query<{ key: string | null; status: string }>(
      'SELECT storage_key AS key, status FROM attachment_ocr_jobs WHERE merchant_id = $1',
      [merchantId],
    )
    const came = Map.groupBy([...dead, ...made], ({ id }) => id)
    const orderIds = new Set(made.map(({ id }) => id))
    const isOrder = ({ kind }: Mail) => kind !== 'bare' && (kind !== 'attachment' || readers !== null)
    const named = new Set(attachments.flatMap(({ key }) => key ?? []))
    const written = await writtenObjects(system)
    return {
      seed: plan.seed,
      killedAt,
      accepted: mails.length,
      repeated,
      orders: made.length,
      deadLetters: dead.length,
      stored: named.size,
      read: attachments.filter(({ status }) => status === 'succeeded').length,
      lost: mails.filter((mail) => !came.has(mail.id) || orderIds.has(mail.id) !== isOrder(mail)).map(({ id }) => id),
      doubled: [...came].filter(([, outcomes]) => outcomes.length > 1).map(([id]) => id),
      strayObjects: [
        ...[...written].filter((key) => !named.has(key)),
        ...[...named].filter((key) => !written.has(key)),
      ],
      seconds: Math.round((Date.now() - started) / 1_000),
    }
  } finally {
    await Promise.all([ingestion.end(), orders.end()])
    await system.stop()
  }
}

/** A merchant whose orders by mail are collected somewhere. */
async function openMailbox(system: Mesh): Promise<string> {
  const { merchantId, owner } = await signUp(system.baseUrl)
  await topUp(system, owner, 100_000_000)
  const pickup = { address: '12 Marina Road, Lagos' }
  await eventually(async () => answered(200, await owner.send('PUT', '/v1/me/ingestion/email-a', { pickup })))
  return merchantId
}

/** The provider has each mail, and tells of it until it is answered by 200. */
async function sendMails(
  system: Mesh,
  merchantId: string,
  { mails, clients }: MailPlan,
  repeated: () => void,
): Promise<Mail[]> {
  const providers = new Api(system.providersUrl)
  const accepted: Mail[] = []
  let turn = 0
  const client = async () => {
    while (turn < mails) {
      const mail: Mail = { id: randomUUID(), kind: KINDS[turn++ % KINDS.length]! }
      const kept = received(mail)
      answered(200, await providers.post(`/__control/emails/${mail.id}`, kept))
      const named = (kept.attachments ?? []).map(({ id, filename, content_type }) => ({ id, filename, content_type }))
      while (!(await isTaken(providers, noticeOf(mail.id, merchantId, named)))) {
        repeated()
        await wait(100)
      }
      accepted.push(mail)
    }
  }
  await allEnded(Array.from({ length: clients }, client))
  return accepted
}

const noticeOf = (emailId: string, merchantId: string, attachments: object[]): string =>
  JSON.stringify({
    type: 'email.received',
    created_at: new Date().toISOString(),
    data: {
      email_id: emailId,
      from: 'Ada <ada@example.test>',
      to: [`store-${merchantId}@in.example.test`],
      subject: 'Order',
      attachments,
    },
  })

/** Mail to a merchant that is not known there yet is ignored, and taken when it is told of again. */
async function isTaken(providers: Api, body: string): Promise<boolean> {
  const sent = { provider: 'email-a', body, sign: 'good' }
  const { deliveries } = answered(200, await providers.post('/__control/emit', sent)).body
  const [{ status, body: text }] = deliveries
  return status === 200 && JSON.parse(text).status !== 'ignored'
}

/** By their names, of all that was ever put into the store of mail. */
async function writtenObjects({ providersUrl }: Mesh): Promise<Set<string>> {
  const { requests } = answered(200, await new Api(providersUrl).get('/__control/requests')).body
  const written = (requests as Array<{ provider: string; method: string; path: string }>).filter(
    ({ provider, method, path }) => provider === 'object-store' && method === 'PUT' && path.startsWith('/mail/'),
  )
  return new Set(written.map(({ path }) => path.replace('/mail/', '')))
}
