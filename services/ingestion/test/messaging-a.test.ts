import { createHmac, randomInt, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { eventually, onceAvailable } from '@svc/testing'
import { publishedBodies } from '@svc/testing/published-bodies'
import { createProviders, type Providers } from '../../../deploy/local/src/providers/server.ts'
import { type IntakeMesh, intakeMesh } from './intake-mesh.ts'

const { arePresent, files, signed: vectors, read } = publishedBodies('messaging-a')

const SECRET = 'tsk_test_messaging_a'
const SIGNATURE = 'x-messaging-a-signature'
const RECEIVER = '2348147386362'

let providers: Providers
let mesh: IntakeMesh
beforeAll(async () => {
  providers = createProviders()
  await providers.start()
  mesh = await intakeMesh({
    MESSAGING_SECRET_KEY: SECRET,
    MESSAGING_API_URL: `${providers.url()}/messaging-a`,
    MESSAGING_API_KEY: 'k',
    MESSAGING_WELCOME: 'Name your shop.',
    MESSAGING_WELCOMES_PER_HOUR: '5',
  })
})
afterAll(async () => {
  await mesh?.stop()
  await providers?.stop()
})

/** A shop whose customers can name it, and that says where its orders are collected. */
async function newShop(settings: { secret?: string; receiver_phone?: string } = {}) {
  const { merchantId } = await mesh.shop()
  const slug = `shop-${randomUUID().slice(0, 8)}`
  await mesh.ingestion.changedMerchant(merchantId, 5, { slug, timezone: 'Africa/Lagos', messaging_engine: 'rules' })
  await mesh.put({ merchantId }, 'messaging-a', { pickup: { address: '12 Marina Road, Lagos' }, ...settings })
  return { merchantId, slug }
}

const newSender = () => `23480${randomInt(10_000_000, 99_999_999)}`
/** Beyond what a number holds. */
const newId = () => `39052043427780${randomInt(10_000, 99_999)}`

const bodyOf = (message: object) =>
  Buffer.from(
    JSON.stringify({
      type: 'inbound',
      receiver: RECEIVER,
      channel: 'whatsapp',
      status: 'Received',
      cost: null,
      ...message,
    }),
  )

const digest = (body: Buffer, secret = SECRET) => createHmac('sha512', secret).update(body).digest('hex')

const post = (
  body: Buffer,
  { merchantId, signature = digest(body) }: { merchantId?: string; signature?: string } = {},
) =>
  mesh.receive({
    channel: 'messaging-a',
    ...(merchantId !== undefined && { merchantId }),
    headers: { [SIGNATURE]: signature },
    body,
  })

async function judged(id: string | undefined) {
  return eventually(async () => {
    const [row] = await mesh.ingestion.sql<{ state: string; reason: string | null; merchant_id: string | null }>(
      `SELECT state, reason, merchant_id FROM inbound_hooks WHERE id = $1 AND state IN ('applied', 'ignored', 'dead')`,
      [id],
    )
    return row ?? false
  })
}

/** Sends a message and waits for what became of it. */
async function say(sender: string, message: string, more: object = {}) {
  const answer = await post(bodyOf({ message_id: newId(), sender, message, ...more }))
  return { ...(await judged(answer.id)), id: answer.id! }
}

const outbox = async (sender: string): Promise<string[]> => {
  const { items } = (await (await fetch(`${providers.url()}/__control/outbox`)).json()) as {
    items: Array<{ to: string; text: string }>
  }
  return items.filter(({ to }) => to === `+${sender}`).map(({ text }) => text)
}

const heard = (sender: string, text: RegExp) =>
  eventually(async () => (await outbox(sender)).find((each) => text.test(each)) ?? false)

async function confirmed(sender: string, slug: string, opening: object = {}) {
  const lines = 'Address: 14 Adeola Odeku St, Lagos\nName: Ada\nPhone: 08031234567\nTime: now'
  await say(sender, `Order_from_${slug} 2 jollof\n${lines}`, opening)
  return say(sender, 'yes')
}

describe('a message to the platform’s number that names a shop', () => {
  test('begins an order, which is asked for piece by piece and made at the yes, once', async () => {
    const { merchantId, slug } = await newShop()
    const [sender, message_id] = [newSender(), newId()]
    expect(await say(sender, `Order_from_${slug} 2 jollof`, { message_id })).toMatchObject({
      state: 'applied',
      merchant_id: merchantId,
    })
    await heard(sender, /full address/)
    const answers = [
      ['14 Adeola Odeku St, Lagos', /Who will receive/],
      ['Ada Okafor', /phone number/],
      ['me', /When do you want/],
      ['in 3 hours', /Reply YES/],
    ] as const
    for (const [text, reply] of answers) {
      expect(await say(sender, text)).toMatchObject({ state: 'applied', merchant_id: merchantId })
      await heard(sender, reply)
    }
    expect(await mesh.ordersOf(merchantId)).toEqual([])
    expect(await say(sender, 'Yes')).toMatchObject({ state: 'applied', reason: null })
    await heard(sender, /is placed/)
    const orders = await mesh.ordersOf(merchantId)
    expect(orders).toMatchObject([
      { source: 'messaging-a', external_order_id: message_id, payment_verified: false, is_test: false },
    ])
    const { standardized } = JSON.parse(orders[0]!.unified_json)
    expect(standardized).toMatchObject({
      pickup_address: '12 Marina Road, Lagos',
      dropoff_address: '14 Adeola Odeku St, Lagos',
      customer_name: 'Ada Okafor',
      customer_phone: `+${sender}`,
      notes: '2 jollof',
    })
    expect(Date.parse(standardized.scheduled_pickup_at) - Date.now()).toBeGreaterThan(2 * 3_600_000)
  })

  test('each taken fifty times at once is taken once', async () => {
    const { merchantId, slug } = await newShop()
    const sender = newSender()
    const opening = bodyOf({
      message_id: newId(),
      sender,
      message: `Order_from_${slug}\nAddress: 1 Broad Street\nName: Ada\nPhone: 08031234567\nTime: now`,
    })
    for (const body of [opening, bodyOf({ message_id: newId(), sender, message: 'yes' })]) {
      const answers = await Promise.all(Array.from({ length: 50 }, () => onceAvailable(() => post(body))))
      expect(new Set(answers.map(({ id }) => id)).size).toBe(1)
      await judged(answers[0]!.id)
    }
    expect(await mesh.ordersOf(merchantId)).toHaveLength(1)
    expect((await outbox(sender)).filter((text) => /Reply YES/.test(text)).length).toBeLessThanOrEqual(1)
  })

  test('takes the place of the shop before, and a later one without a name goes on with the newest', async () => {
    const [first, second] = [await newShop(), await newShop()]
    const sender = newSender()
    await say(sender, `Order_from_${first.slug} tea`)
    await say(sender, `hello ORDER_FROM_${second.slug.toUpperCase()} coffee`)
    const later = await say(sender, '1 Broad Street, Lagos')
    expect(later).toMatchObject({ state: 'applied', merchant_id: second.merchantId })
  })

  test('has its shop for two hours and no longer', async () => {
    const { slug } = await newShop()
    const sender = newSender()
    await say(sender, `Order_from_${slug} tea`)
    await mesh.ingestion.sql(`UPDATE conversations SET heard_at = heard_at - interval '2 hours' WHERE sender = $1`, [
      sender,
    ])
    expect(await say(sender, '1 Broad Street, Lagos')).toMatchObject({ state: 'ignored', reason: 'unmatched' })
  })

  test('of one sender is nobody else’s business: another sender has no shop', async () => {
    const { slug } = await newShop()
    await say(newSender(), `Order_from_${slug} tea`)
    expect(await say(newSender(), 'yes')).toMatchObject({ state: 'ignored', reason: 'unmatched' })
  })

  test('whose shop has switched messages off is ignored', async () => {
    const { merchantId, slug } = await newShop()
    await mesh.ingestion.changedMerchant(merchantId, 6, { slug, messaging_engine: 'off' })
    expect(await say(newSender(), `Order_from_${slug} tea`)).toMatchObject({
      state: 'ignored',
      reason: 'messaging_off',
    })
  })

  test('ends without an order where the customer cancels', async () => {
    const { merchantId, slug } = await newShop()
    const sender = newSender()
    await say(sender, `Order_from_${slug} tea`)
    await say(sender, 'cancel')
    await heard(sender, /cancelled/)
    await say(sender, 'yes')
    expect(await mesh.ordersOf(merchantId)).toEqual([])
  })
})

describe('an order that cannot be made', () => {
  test('is a dead letter, the customer is told, and an operator makes it once its cause is cured', async () => {
    const { merchantId } = await mesh.shop()
    const slug = `shop-${randomUUID().slice(0, 8)}`
    await mesh.ingestion.changedMerchant(merchantId, 5, { slug, messaging_engine: 'rules' })
    const sender = newSender()
    const dead = await confirmed(sender, slug)
    expect(dead).toMatchObject({ state: 'dead', reason: 'pickup_not_configured', merchant_id: merchantId })
    await heard(sender, /could not be placed/)
    await mesh.put({ merchantId }, 'messaging-a', { pickup: { address: '12 Marina Road, Lagos' } })
    await mesh.ingestion.operator().retryDeadLetter({ id: dead.id })
    await eventually(async () => (await mesh.ordersOf(merchantId)).length === 1)
    await heard(sender, /is placed/)
    expect(await judged(dead.id)).toMatchObject({ state: 'applied' })
  })
})

describe('who names no shop', () => {
  test('is welcomed once a day, and of all who do so only so many within an hour', async () => {
    await mesh.ingestion.sql('DELETE FROM welcomed_senders')
    const senders = Array.from({ length: 8 }, newSender)
    for (const sender of senders) {
      expect(await say(sender, 'Hello')).toMatchObject({ state: 'ignored', reason: 'unmatched', merchant_id: null })
      await say(sender, 'Hello?')
    }
    for (const sender of senders.slice(0, 5)) await heard(sender, /Name your shop/)
    const told = await Promise.all(senders.map(outbox))
    expect(told.map((texts) => texts.length)).toEqual([1, 1, 1, 1, 1, 0, 0, 0])
  })

  test('with a name that no shop has is told nothing about shops', async () => {
    expect(await say(newSender(), 'Order_from_no-such-shop 1 tea')).toMatchObject({
      state: 'ignored',
      reason: 'unmatched',
    })
  })

  test('from a country to which nothing is sent gets no message', async () => {
    await mesh.ingestion.sql('DELETE FROM welcomed_senders')
    await say('12022214836', 'Hello')
    const intents = await mesh.ingestion.sql(`SELECT FROM intent WHERE payload->>'to' = '+12022214836'`)
    expect(intents).toEqual([])
  })
})

describe('a message to a merchant’s own number', () => {
  test('is for that merchant, whoever it names', async () => {
    const [mine, other] = [await newShop({ secret: 'secret of this merchant' }), await newShop()]
    const body = bodyOf({ message_id: newId(), sender: newSender(), message: `Order_from_${other.slug} tea` })
    const signature = digest(body, 'secret of this merchant')
    const answer = await post(body, { merchantId: mine.merchantId, signature })
    expect(answer).toMatchObject({ status: 'accepted', signer: mine.merchantId })
    expect(await judged(answer.id)).toMatchObject({ state: 'applied', merchant_id: mine.merchantId })
  })

  test('that came to another number is ignored where the merchant has said which is its own', async () => {
    const { merchantId } = await newShop({ secret: 'secret of this merchant', receiver_phone: '+2348000000001' })
    for (const [receiver, state] of [
      [RECEIVER, 'ignored'],
      ['+234 800 000 0001', 'applied'],
    ] as const) {
      const body = bodyOf({ message_id: newId(), sender: newSender(), message: 'tea', receiver })
      const answer = await post(body, { merchantId, signature: digest(body, 'secret of this merchant') })
      expect(await judged(answer.id)).toMatchObject({ state, merchant_id: merchantId })
    }
  })

  test('signed by itself has no part in what the same customer says to the platform’s number', async () => {
    const [mine, other] = [await newShop({ secret: 'secret of this merchant' }), await newShop()]
    const sender = newSender()
    await say(sender, `Order_from_${other.slug} tea`)
    const body = bodyOf({ message_id: newId(), sender, message: 'coffee' })
    const forged = await post(body, { merchantId: mine.merchantId, signature: digest(body, 'secret of this merchant') })
    expect(await judged(forged.id)).toMatchObject({ state: 'applied' })
    expect(await say(sender, '1 Broad Street, Lagos')).toMatchObject({ merchant_id: other.merchantId })
  })
})

describe('a signature', () => {
  const body = bodyOf({ message_id: newId(), sender: newSender(), message: 'Hello' })
  const hex = digest(body)
  const base64 = Buffer.from(hex, 'hex').toString('base64')

  test.each([
    ['hex', hex],
    ['hex in capitals', hex.toUpperCase()],
    ['base64', base64],
    ['base64 of URLs without padding', Buffer.from(hex, 'hex').toString('base64url')],
  ])('as %s is right', async (_what, signature) => {
    expect(['accepted', 'duplicate']).toContain((await post(body, { signature })).status)
  })

  test.each([
    ['cut short', hex.slice(2)],
    ['with more behind it', `${hex}00`],
    ['of SHA-256', createHmac('sha256', SECRET).update(body).digest('hex')],
    ['of another secret', digest(body, 'another secret of 16')],
    ['of other bytes', digest(Buffer.from(`${body.toString()} `))],
    ['empty', ''],
    ...Array.from({ length: 8 }, (_, at): [string, string] => {
      const turned = Buffer.from(hex, 'hex')
      turned.writeUInt8(turned[at * 8]! ^ (1 << at), at * 8)
      return [`with one bit turned (${at})`, turned.toString('hex')]
    }),
  ])('%s is none', async (_what, signature) => {
    await expect(post(body, { signature })).rejects.toMatchObject({ code: 'invalid_signature' })
  })
})

test('where the platform’s secret is not set, its address asks the provider to come again', async () => {
  const bare = await intakeMesh()
  try {
    const headers = { [SIGNATURE]: 'x' }
    await expect(bare.receive({ channel: 'messaging-a', headers, body: Buffer.from('{}') })).rejects.toMatchObject({
      code: 'service_unavailable',
    })
  } finally {
    await bare.stop()
  }
})

;(arePresent ? describe : describe.skip)('the published bodies', () => {
  test('verify by the signatures that were computed elsewhere, and messages alone are wanted', async () => {
    expect(vectors).toHaveLength(files.filter((name) => name.endsWith('.json')).length)
    for (const { file, headers, alternative = {} } of vectors) {
      const body = read(file)
      const wanted = /inbound/.test(file) ? 'accepted' : 'ignored'
      const [first, second] = [headers, alternative].map((each) => Object.values(each)[0] as string)
      const answer = await post(body, { signature: first! })
      // Two samples are of one message.
      if (answer.status !== 'duplicate') expect([file, answer.status]).toEqual([file, wanted])
      expect([file, (await post(body, { signature: second! })).status]).toEqual([file, 'duplicate'])
      if (wanted === 'accepted')
        expect(await judged(answer.id)).toMatchObject({ state: 'ignored', reason: 'unmatched' })
    }
    const [kept] = await mesh.ingestion.sql<{ dedupe_key: string }>(
      `SELECT dedupe_key FROM inbound_hooks WHERE dedupe_key LIKE '%3905204342778053601%'`,
    )
    expect(kept!.dedupe_key).toBe('inbound:3905204342778053601:Received')
  })
})
