import { createHmac, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { onceAvailable } from '@svc/testing'
import { publishedBodies } from '@svc/testing/published-bodies'
import { type IntakeMesh, intakeMesh } from './intake-mesh.ts'

const { arePresent, files, signed: vectors, read } = publishedBodies('payments-b')

const SIGNATURE = 'payments-b-signature'
const signed = (secret: string, body: Buffer) => createHmac('sha256', secret).update(body).digest('base64')

interface Account {
  merchantId: string
  secret: string
}

let mesh: IntakeMesh
let account: Account
beforeAll(async () => {
  mesh = await intakeMesh()
  account = await newAccount()
})
afterAll(() => mesh?.stop())

async function newAccount(secret = `secret-of-${randomUUID()}`): Promise<Account> {
  const { merchantId } = await mesh.shop()
  await mesh.put({ merchantId }, 'payments-b', { secret, pickup: { address: '12 Marina Road, Lagos' } })
  return { merchantId, secret }
}

const post = ({ merchantId }: Account, headers: Record<string, string>, body: Buffer) =>
  mesh.receive({ channel: 'payments-b', merchantId, headers, body })

const send = (to: Account, body: Buffer) => post(to, { [SIGNATURE]: signed(to.secret, body) }, body)

const payment = (data: Record<string, unknown> = {}) =>
  Buffer.from(
    JSON.stringify({
      event: 'charge.completed',
      data: {
        id: randomUUID(),
        tx_ref: `shop-${randomUUID()}`,
        amount: 21101.5,
        currency: 'NGN',
        status: 'successful',
        customer: { name: 'Ada Okafor', phone_number: '08031234567' },
        meta: { delivery_address: '14 Adeola Odeku Street, Lagos' },
        ...data,
      },
    }),
  )

const orderOf = async ({ merchantId }: Account, orderId: string | null) =>
  (await mesh.orders(merchantId).getOrder({ id: orderId ?? '' })).order!

describe('a payment that has arrived', () => {
  test('is a paid order of the merchant under its reference, and the same whenever it is told of', async () => {
    const [tx_ref, id] = [`shop-${randomUUID()}`, randomUUID()]
    const body = payment({ tx_ref, id })
    const answer = await send(account, body)
    expect(answer).toMatchObject({ status: 'accepted', id: expect.any(String), signer: account.merchantId })
    const job = await mesh.judged(answer.id)
    expect(job).toMatchObject({ status: 'succeeded', outcome: 'order' })
    expect(await orderOf(account, job.order_id)).toMatchObject({
      source: 'payments-b',
      external_order_id: tx_ref,
      payment_verified: true,
      is_test: false,
    })
    expect(await send(account, body)).toMatchObject({ id: answer.id, status: 'duplicate' })
    expect(await send(account, payment({ tx_ref, id }))).toMatchObject({ status: 'duplicate' })
    const renewed = await mesh.judged((await send(account, payment({ tx_ref }))).id)
    expect(renewed).toMatchObject({ status: 'succeeded', order_id: job.order_id })
  })

  test('is one order, though it comes fifty times at once', async () => {
    const to = await newAccount()
    const body = payment()
    const answers = await Promise.all(Array.from({ length: 50 }, () => onceAvailable(() => send(to, body))))
    expect(new Set(answers.map(({ id }) => id)).size).toBe(1)
    expect(answers.filter(({ status }) => status === 'accepted')).toHaveLength(1)
    await mesh.judged(answers[0]!.id)
    expect(await mesh.ordersOf(to.merchantId)).toHaveLength(1)
  })

  test('that was pending before is an event of its own', async () => {
    const of = { id: randomUUID(), tx_ref: `shop-${randomUUID()}` }
    expect(await send(account, payment({ ...of, status: 'pending' }))).toMatchObject({ status: 'ignored' })
    const job = await mesh.judged((await send(account, payment(of))).id)
    expect(job).toMatchObject({ status: 'succeeded' })
  })

  test('by the plain secret is an order whose payment nobody has verified, and the secret is kept nowhere', async () => {
    const { id } = await post(account, { 'verif-hash': account.secret }, payment())
    const job = await mesh.judged(id)
    expect(job).toMatchObject({ status: 'succeeded' })
    expect(await orderOf(account, job.order_id)).toMatchObject({ payment_verified: false })
    const [row] = await mesh.ingestion.sql<{ text: string }>(
      'SELECT h::text AS text FROM inbound_hooks h WHERE id = $1',
      [id],
    )
    expect(row!.text).not.toContain(account.secret)
  })

  test('without an address is for a person, with the field that lacks', async () => {
    expect(await mesh.judged((await send(account, payment({ meta: null }))).id)).toMatchObject({
      status: 'failed',
      error: 'needs_details',
      field: 'standardized.dropoff_address',
    })
  })
})

describe('what is not signed right is refused, and leaves no trace', () => {
  const body = payment()
  const right = () => signed(account.secret, body)
  test.each<[string, () => Record<string, string>]>([
    ['nothing', () => ({})],
    ['a signature of other bytes', () => ({ [SIGNATURE]: signed(account.secret, payment()) })],
    ['that of another secret', () => ({ [SIGNATURE]: signed('another secret of 16', body) })],
    ['one in hex', () => ({ [SIGNATURE]: Buffer.from(right(), 'base64').toString('hex') })],
    ['one that is cut short', () => ({ [SIGNATURE]: right().slice(0, -4) })],
    ['the plain secret in its place', () => ({ [SIGNATURE]: account.secret })],
    ['the right plain secret beside a wrong one', () => ({ [SIGNATURE]: 'x', 'verif-hash': account.secret })],
    ['an empty plain secret', () => ({ 'verif-hash': '' })],
    ['a wrong plain secret', () => ({ 'verif-hash': `${account.secret}x` })],
    ['the digest as the plain secret', () => ({ 'verif-hash': right() })],
  ])('%s', async (_what, headers) => {
    await expect(post(account, headers(), body)).rejects.toMatchObject({ code: 'invalid_signature' })
  })

  test('one that is right once, with each of its bits turned', async () => {
    const bytes = Buffer.from(right(), 'base64')
    for (let bit = 0; bit < bytes.length * 8; bit += 37) {
      const turned = Buffer.from(bytes)
      turned.writeUInt8(turned[bit >> 3]! ^ (1 << (bit & 7)), bit >> 3)
      const sent = post(account, { [SIGNATURE]: turned.toString('base64') }, body)
      await expect(sent).rejects.toMatchObject({ code: 'invalid_signature' })
    }
    for (let at = 0; at < body.length; at += 29) {
      const turned = Buffer.from(body)
      turned.writeUInt8(turned[at]! ^ 1, at)
      const sent = post(account, { [SIGNATURE]: right() }, turned)
      await expect(sent).rejects.toMatchObject({ code: 'invalid_signature' })
    }
  })

  test('the right one of another merchant', async () => {
    const other = await newAccount()
    const sent = post(other, { [SIGNATURE]: right() }, body)
    await expect(sent).rejects.toMatchObject({ code: 'invalid_signature' })
    const plain = post(other, { 'verif-hash': account.secret }, body)
    await expect(plain).rejects.toMatchObject({ code: 'invalid_signature' })
  })
})

;(arePresent ? describe : describe.skip)('the published bodies', () => {
  test('verify by the signatures that were computed elsewhere, and none is unreadable', async () => {
    expect(vectors).toHaveLength(files.filter((name) => name.endsWith('.json')).length)
    const to = await newAccount(vectors[0]!.secret)
    const legacy = await newAccount(vectors[0]!.secret)
    for (const { file, headers, legacy_headers: plain = {} } of vectors) {
      const body = read(file)
      const isPayment = /charge\.completed|v2-flat\.(card|mpesa)/.test(file)
      for (const answer of [await post(to, headers, body), await post(legacy, plain, body)]) {
        expect([file, answer.status]).toEqual([file, isPayment ? 'accepted' : 'ignored'])
        if (isPayment) {
          const { status, error } = await mesh.judged(answer.id)
          const isOrder = file.endsWith('order.derived.json')
          expect([file, status, error]).toEqual([
            file,
            isOrder ? 'succeeded' : 'failed',
            isOrder ? null : 'needs_details',
          ])
        }
      }
    }
    const [order] = await mesh.ordersOf(to.merchantId)
    expect(order).toMatchObject({ external_order_id: 'mamacass-4471', payment_verified: true })
    expect(JSON.parse(order!.unified_json).standardized.notes).toContain('21101.5 NGN')
  })
})
