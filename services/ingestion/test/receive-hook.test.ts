import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { signHook } from '@svc/payments'
import { eventually, onceAvailable } from '@svc/testing'
import { chargeBody, idOf, PLATFORM_SECRET, SIGNATURE, startIngestion, type TestIngestion } from './start-ingestion.ts'

const MIB = 1024 * 1024

let ingestion: TestIngestion
beforeAll(async () => {
  ingestion = await startIngestion()
})
afterAll(() => ingestion.stop())

const hookCount = async () =>
  Number((await ingestion.sql<{ count: string }>('SELECT count(*) FROM inbound_hooks'))[0]!.count)

async function announcedOnce(id: string) {
  const [announced, ...more] = await eventually(() => {
    const all = ingestion.announced(id)
    return all.length > 0 && all
  })
  expect(more).toEqual([])
  return announced!
}

describe('a hook whose signature is right', () => {
  test('is kept and announced byte for byte, with the allowed headers only', async () => {
    const body = Buffer.from(
      `{ "event":"charge.success",\n "data":{"reference":"${randomUUID()}", "id": 9122821270554876574} }`,
    )
    const headers = [
      { name: SIGNATURE, value: signHook(PLATFORM_SECRET, body) },
      { name: 'content-type', value: 'application/json' },
      { name: 'cookie', value: 'none of our business' },
    ]
    const answer = await ingestion.anyone().receiveHook({ channel: 'payments-a', headers, body, exhausted_signers: [] })
    expect(answer).toMatchObject({ id: expect.any(String), status: 'accepted' })
    const { hook, version } = await announcedOnce(idOf(answer))
    expect(version).toBe(1)
    expect(hook).toMatchObject({
      hook_id: answer.id,
      channel: 'payments-a',
      signed_by_platform: true,
      signature: signHook(PLATFORM_SECRET, body),
      event: 'charge.success',
    })
    expect(hook.merchant_id).toBeUndefined()
    expect(hook.body.equals(body)).toBe(true)
    const [row] = await ingestion.sql<{ body: Buffer; headers: object; state: string }>(
      'SELECT body, headers, state FROM inbound_hooks WHERE id = $1',
      [answer.id],
    )
    expect(row!.body.equals(body)).toBe(true)
    expect(row).toMatchObject({ state: 'received' })
    expect(Object.keys(row!.headers).sort()).toEqual(['content-type', SIGNATURE])
  })

  test('of the largest size still reaches Kafka', async () => {
    const empty = chargeBody({ padding: '' })
    const body = chargeBody({ reference: randomUUID(), padding: 'x'.repeat(MIB - empty.length) })
    expect(body.length).toBe(MIB)
    const { hook } = await announcedOnce(idOf(await ingestion.send({ body })))
    expect(hook.body.equals(body)).toBe(true)
  })

  test('is one row and one fact, though it comes fifty times at once', async () => {
    const body = chargeBody()
    const answers = await Promise.all(Array.from({ length: 50 }, () => onceAvailable(() => ingestion.send({ body }))))
    expect(new Set(answers.map(({ id }) => id)).size).toBe(1)
    expect(answers.filter(({ status }) => status === 'accepted')).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 'duplicate')).toHaveLength(49)
    const outbox = await ingestion.sql('SELECT FROM outbox WHERE aggregate_id = $1', [answers[0]!.id])
    expect(outbox).toHaveLength(1)
    await announcedOnce(idOf(answers[0]!))
  })

  test('is the same event whatever its bytes: a repeat with other spacing is a duplicate', async () => {
    const reference = randomUUID()
    const first = await ingestion.send({ body: chargeBody({ reference }) })
    const again = await ingestion.send({ body: Buffer.from(`${chargeBody({ reference }).toString()}\n`) })
    expect(again).toMatchObject({ id: first.id, status: 'duplicate' })
  })

  test('is the same event by whichever address it comes', async () => {
    const [merchantId, body] = [await ingestion.knownMerchant(), chargeBody()]
    const first = await ingestion.send({ body })
    expect(await ingestion.send({ body, merchantId })).toMatchObject({ id: first.id, status: 'duplicate' })
  })

  test('that nobody here needs is ignored and kept, without a fact', async () => {
    const body = chargeBody({ event: 'bank.transfer.rejected' })
    const answer = await ingestion.send({ body })
    expect(answer).toMatchObject({ id: expect.any(String), status: 'ignored', reason: 'event_not_used' })
    expect(await ingestion.stateOf(idOf(answer))).toBe('ignored')
    expect(await ingestion.sql('SELECT FROM outbox WHERE aggregate_id = $1', [answer.id])).toEqual([])
    expect(await ingestion.send({ body })).toMatchObject({ id: answer.id, status: 'duplicate' })
  })

  test('is listed under the merchant that it claims to be about', async () => {
    const merchant_id = randomUUID()
    const answer = await ingestion.send({ body: chargeBody({ metadata: JSON.stringify({ merchant_id }) }) })
    await ingestion.judge(idOf(answer), 1, 'refused', 'amount_mismatch')
    await eventually(async () => {
      const { items } = await ingestion
        .operator()
        .listDeadLetters({ limit: 0, offset: 0, merchant_id, include_resolved: false })
      expect(items).toMatchObject([{ id: answer.id, merchant_id }])
    })
  })

  const NOT_USABLE: ReadonlyArray<readonly [string, Buffer]> = [
    ['no JSON', Buffer.from('hello')],
    ['empty', Buffer.alloc(0)],
    ['null', Buffer.from('null')],
    ['a list', Buffer.from('[{"event":"charge.success"}]')],
    ['without an event', Buffer.from('{"data":{}}')],
    ['with an event that is no text', Buffer.from('{"event":{"a":1}}')],
    ['with an event of which a database takes no letter', Buffer.from('{"event":"\\u0000"}')],
    ['no UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d])],
    [
      'nested beyond reason',
      Buffer.from(`{"event":"charge.success","data":${'['.repeat(100_000)}${']'.repeat(100_000)}}`),
    ],
  ]
  test.each(NOT_USABLE)('and whose body is %s is accepted, and is a dead letter', async (_what, body) => {
    const answer = await ingestion.send({ body })
    expect(answer).toMatchObject({ id: expect.any(String), status: 'accepted' })
    expect(await ingestion.stateOf(idOf(answer))).toBe('dead')
    expect(await ingestion.sql('SELECT FROM outbox WHERE aggregate_id = $1', [answer.id])).toEqual([])
  })

  test.each([
    [
      'a key that would reach a prototype',
      '{"__proto__":{"event":"transfer.success"},"event":"charge.success","data":{"reference":"REF"}}',
    ],
    ['the same key twice', '{"event":"bank.transfer.rejected","event":"charge.success","data":{"reference":"REF"}}'],
    ['data that is a list', '{"event":"charge.success","data":[{"reference":"REF"}]}'],
  ])('with %s is handed on as what it says', async (_what, text) => {
    const body = Buffer.from(text.replace('REF', randomUUID()))
    const { hook } = await announcedOnce(idOf(await ingestion.send({ body })))
    expect(hook.event).toBe('charge.success')
  })
})

describe('a hook that cannot be verified', () => {
  const body = chargeBody()
  const right = signHook(PLATFORM_SECRET, body)
  const signed = (...values: string[]) => values.map((value) => ({ name: SIGNATURE, value }))

  test.each([
    ['no signature', []],
    ['an empty one', signed('')],
    ['that of another secret', signed(signHook('another secret', body))],
    ['that of an empty secret', signed(signHook('', body))],
    ['that of other bytes', signed(signHook(PLATFORM_SECRET, Buffer.from(`${body.toString()} `)))],
    ['one in capitals', signed(right.toUpperCase())],
    ['one that is cut short', signed(right.slice(0, -2))],
    ['one that goes on', signed(`${right}00`)],
    ['one in base64', signed(Buffer.from(right, 'hex').toString('base64'))],
    ['two, the right one first', signed(right, signHook('another secret', body))],
    ['two that are right', signed(right, right)],
    ['two in one header', signed(`${right}, ${right}`)],
    ['the right one under another name', [{ name: 'x-signature', value: right }]],
  ])('because it has %s is refused and leaves no trace', async (_what, headers) => {
    const before = await hookCount()
    const sent = ingestion.anyone().receiveHook({ channel: 'payments-a', headers, body, exhausted_signers: [] })
    await expect(sent).rejects.toMatchObject({ code: 'invalid_signature' })
    expect(await hookCount()).toBe(before)
  })

  test('is told the same for an unknown merchant, no merchant id, an unknown channel and a wrong signature', async () => {
    const known = await ingestion.knownMerchant()
    const wrong = signed('0'.repeat(128))
    const attempts = [
      { channel: 'payments-a', merchant_id: known, headers: wrong, body },
      { channel: 'payments-a', merchant_id: randomUUID(), headers: wrong, body },
      { channel: 'payments-a', merchant_id: randomUUID(), headers: signed(right), body },
      { channel: 'payments-a', merchant_id: 'me', headers: signed(right), body },
      { channel: 'payments-z', headers: signed(right), body },
    ]
    const errors = await Promise.all(
      attempts.map((attempt) =>
        ingestion
          .anyone()
          .receiveHook({ ...attempt, exhausted_signers: [] })
          .catch((error: Error) => error),
      ),
    )
    const told = errors.map((error) => ({ ...(error as object), message: (error as Error).message }))
    expect(told[0]).toMatchObject({ code: 'invalid_signature', details: undefined })
    for (const other of told.slice(1)) expect(other).toEqual(told[0])
  })

  test('and is too large is refused before anything is computed of it', async () => {
    const large = Buffer.alloc(MIB + 1, 'x')
    await expect(ingestion.send({ body: large })).rejects.toMatchObject({ code: 'payload_too_large' })
  })
})
