import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { TopupFact } from '@svc/contracts/wallet/v1/topup_service'
import { signHook } from '@svc/payments'
import { eventually } from '@svc/testing'
import { expectLedgerHolds } from './ledger-invariants.ts'
import { AMOUNT, FOREIGN_SIGNATURE, type PaymentMesh, PREVIOUS_KEY, paid, paymentMesh } from './payment-mesh.ts'

const INITIALIZE = '/transaction/initialize'
const page = { limit: 0, offset: 0 }

let mesh: PaymentMesh
let merchant: Awaited<ReturnType<PaymentMesh['merchant']>>
beforeAll(async () => {
  mesh = await paymentMesh()
})
beforeEach(async () => {
  merchant = await mesh.merchant()
})
afterAll(async () => {
  await expectLedgerHolds(mesh.wallet.sql)
  await mesh.stop()
})

const intend = () => mesh.topups(merchant.caller).createTopupIntent({ amount_minor: AMOUNT })

const asksOf = async (email: string) =>
  (await mesh.asked('POST', INITIALIZE)).filter(({ body }) => body['email'] === email)

const creditsOf = (merchantId: string) =>
  mesh.wallet.sql<{ type: string; payload: Buffer }>(
    `SELECT type, payload FROM outbox WHERE merchant_id = $1 AND type = 'wallet.topup_credited'`,
    [merchantId],
  )

describe('a paid top-up', () => {
  test('is the merchant’s money as soon as the provider says so', async () => {
    const { reference } = await intend()
    const [hook] = await mesh.charge(reference, { outcome: 'success' })
    expect(await mesh.judgement(hook!)).toEqual({ hook_id: hook, outcome: 'applied', reason: undefined })
    const statement = await mesh.wallet.wallet.as(merchant.caller).getWallet(page)
    expect(statement.wallet).toMatchObject({ balance_minor: AMOUNT, available_minor: AMOUNT, held_minor: 0 })
    expect(statement.ledger_transactions).toMatchObject([
      { entry_type: 'topup', direction: 'credit', amount_minor: AMOUNT, reference },
    ])
    const [fact] = await creditsOf(merchant.id)
    expect(TopupFact.decode(fact!.payload)).toEqual({
      reference,
      merchant_id: merchant.id,
      amount_minor: AMOUNT,
      currency: 'NGN',
    })
  })

  test('is credited once, however many hooks tell of it at once and whichever way they come', async () => {
    const { reference } = await intend()
    const hooks = await Promise.all(
      Array.from({ length: 5 }, (_, n) => mesh.handOn(paid(reference), n % 2 ? { merchantId: merchant.id } : {})),
    )
    for (const hook of hooks) expect(await mesh.judgement(hook)).toMatchObject({ outcome: 'applied' })
    expect(await mesh.balanceOf(merchant.id)).toBe(AMOUNT)
    expect(await creditsOf(merchant.id)).toHaveLength(1)
  })

  test('is credited once when one hook is handed on again and again', async () => {
    const { reference } = await intend()
    const hookId = randomUUID()
    for (const version of [1, 1, 2, 2, 3]) await mesh.handOn(paid(reference), { hookId, version })
    for (const version of [1, 2, 3]) expect(await mesh.judgement(hookId, version)).toMatchObject({ outcome: 'applied' })
    expect(await mesh.balanceOf(merchant.id)).toBe(AMOUNT)
  })

  test('is credited when the provider tells before it has answered that the page is open', async () => {
    await mesh.fault('delay', INITIALIZE, { delayMs: 2_000 })
    const opening = intend()
    const asked = await eventually(async () => (await asksOf(merchant.email))[0] ?? null)
    const hook = await mesh.handOn(paid(String(asked.body['reference'])))
    expect(await mesh.judgement(hook)).toMatchObject({ outcome: 'applied' })
    const intent = await opening
    expect(intent.authorization_url).toContain(intent.access_code)
    expect(await mesh.balanceOf(merchant.id)).toBe(AMOUNT)
    const [row] = await mesh.wallet.sql('SELECT state FROM topup_intents WHERE reference = $1', [intent.reference])
    expect(row).toEqual({ state: 'credited' })
  })

  test('is credited when the answer with the page was lost', async () => {
    await mesh.fault('reset_after_commit', INITIALIZE)
    await expect(intend()).rejects.toMatchObject({ code: 'service_unavailable' })
    const [asked] = await asksOf(merchant.email)
    const [hook] = await mesh.charge(String(asked!.body['reference']), { outcome: 'success' })
    expect(await mesh.judgement(hook!)).toMatchObject({ outcome: 'applied' })
    expect(await mesh.balanceOf(merchant.id)).toBe(AMOUNT)
  })

  test('is credited once when the process that judges the hook dies before the commit', async () => {
    const { reference } = await intend()
    mesh.crashAt('hook.judged')
    const [hook] = await mesh.charge(reference, { outcome: 'success' })
    expect(await mesh.judgement(hook!)).toMatchObject({ outcome: 'applied' })
    expect(await mesh.balanceOf(merchant.id)).toBe(AMOUNT)
  })

  test('is credited after an earlier attempt on the same page has failed', async () => {
    const { reference } = await intend()
    const [failure] = await mesh.charge(reference, { outcome: 'failed' })
    expect(await mesh.judgement(failure!)).toMatchObject({ outcome: 'ignored', reason: 'unknown_event' })
    expect(await mesh.balanceOf(merchant.id)).toBe(0)
    const [success] = await mesh.charge(reference, { outcome: 'success' })
    expect(await mesh.judgement(success!)).toMatchObject({ outcome: 'applied' })
    expect(await mesh.balanceOf(merchant.id)).toBe(AMOUNT)
  })

  test('is credited by a hook that our previous key has signed', async () => {
    const { reference } = await intend()
    const body = Buffer.from(JSON.stringify(paid(reference)))
    const hook = await mesh.handOn(body, { signature: signHook(PREVIOUS_KEY, body) })
    expect(await mesh.judgement(hook)).toMatchObject({ outcome: 'applied' })
  })

  test('is credited whatever shape the provider gives to metadata', async () => {
    const shapes = [0, '', null, [], {}, JSON.stringify({ merchant_id: merchant.id }), { merchant_id: merchant.id }]
    for (const metadata of shapes) {
      const { reference } = await intend()
      const hook = await mesh.handOn(paid(reference, { metadata }))
      expect(await mesh.judgement(hook)).toMatchObject({ outcome: 'applied' })
    }
    expect(await mesh.balanceOf(merchant.id)).toBe(shapes.length * AMOUNT)
  })
})

describe('what does not fit moves nothing', () => {
  const someoneElse = randomUUID()

  test.each([
    ['less', { amount: AMOUNT - 1 }, {}, 'amount_mismatch'],
    ['more', { amount: AMOUNT + 1 }, {}, 'amount_mismatch'],
    ['no amount', { amount: null }, {}, 'amount_mismatch'],
    ['a fraction', { amount: AMOUNT + 0.5 }, {}, 'amount_mismatch'],
    ['another currency', { currency: 'GHS' }, {}, 'currency_mismatch'],
    ['metadata of another merchant', { metadata: { merchant_id: someoneElse } }, {}, 'tenant_mismatch'],
    ['metadata that names nobody', { metadata: { merchant_id: 7 } }, {}, 'tenant_mismatch'],
    ['the path of another merchant', {}, { merchantId: someoneElse }, 'tenant_mismatch'],
    ['the other mode of the provider', { domain: 'test' }, {}, 'wrong_mode'],
    ['no mode', { domain: null }, {}, 'wrong_mode'],
    ['a mode that is no word', { domain: 0 }, {}, 'wrong_mode'],
    ['a status that is no success', { status: 'failed' }, {}, 'not_successful'],
    ['a signature that merchants can make', {}, { signature: FOREIGN_SIGNATURE }, 'untrusted_signature'],
    ['no signature', {}, { signature: null }, 'untrusted_signature'],
    ['a signature that is none', {}, { signature: 'true' }, 'untrusted_signature'],
    ["no signature, on a merchant's path", {}, { signature: null, merchantId: someoneElse }, 'untrusted_signature'],
  ])('%s is refused, and what was asked for can still be paid', async (_what, changes, how, reason) => {
    const { reference } = await intend()
    const hook = await mesh.handOn(paid(reference, changes), how)
    expect(await mesh.judgement(hook)).toEqual({ hook_id: hook, outcome: 'refused', reason })
    expect(await mesh.balanceOf(merchant.id)).toBe(0)
    const right = await mesh.handOn(paid(reference), { merchantId: merchant.id })
    expect(await mesh.judgement(right)).toMatchObject({ outcome: 'applied' })
    expect(await mesh.balanceOf(merchant.id)).toBe(AMOUNT)
  })

  test('what the payer has in fact paid counts, not what was asked for', async () => {
    const { reference } = await intend()
    const [hook] = await mesh.charge(reference, { outcome: 'success', amount: AMOUNT - 1 })
    expect(await mesh.judgement(hook!)).toMatchObject({ outcome: 'refused', reason: 'amount_mismatch' })
    const told = await mesh.wallet.sql(`SELECT merchant_id FROM outbox WHERE aggregate_id = $1`, [hook])
    expect(told).toEqual([{ merchant_id: merchant.id }])
    expect(await mesh.balanceOf(merchant.id)).toBe(0)
  })

  test.each([
    ['nothing', ''],
    ['a word', 'charge.success'],
    ['null', 'null'],
    ['a list', '[]'],
    ['half an object', '{"event":"charge.success","data":{'],
    ['bytes that are no text', Buffer.from([0xff, 0xfe, 0x00])],
  ])('a body of %s is refused as unreadable', async (_what, body) => {
    const hook = await mesh.handOn(body)
    expect(await mesh.judgement(hook)).toMatchObject({ outcome: 'refused', reason: 'unreadable' })
  })

  test('events that nothing here depends on are ignored', async () => {
    for (const event of ['charge.dispute.create', 'bank.transfer.rejected', '__proto__']) {
      const hook = await mesh.handOn({ event, data: {} })
      expect(await mesh.judgement(hook)).toMatchObject({ outcome: 'ignored', reason: 'unknown_event' })
    }
    const foreign = await mesh.handOn(paid(randomUUID()))
    expect(await mesh.judgement(foreign)).toMatchObject({ outcome: 'ignored' })
    const ofMerchant = await mesh.handOn(paid(randomUUID()), { merchantId: merchant.id, signature: FOREIGN_SIGNATURE })
    expect(await mesh.judgement(ofMerchant)).toMatchObject({ outcome: 'ignored', reason: 'account_of_merchant' })
  })
})
