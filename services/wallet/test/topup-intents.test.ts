import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import type { CreateTopupIntentRequest } from '@svc/contracts/wallet/v1/topup_service'
import type { Caller } from '@svc/grpc'
import { adminCaller, eventually, riderCaller } from '@svc/testing'
import { createTopupIntent } from '../src/use-cases/topups/create-topup-intent.ts'
import { byOf } from './by-of.ts'
import { expectLedgerHolds } from './ledger-invariants.ts'
import { AMOUNT, type PaymentMesh, paymentMesh } from './payment-mesh.ts'

const INITIALIZE = '/transaction/initialize'

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

const intend = (request: Partial<CreateTopupIntentRequest> = {}, caller: Caller = merchant.caller) =>
  mesh.topups(caller).createTopupIntent({ amount_minor: AMOUNT, ...request })

const keyed = (key: string = randomUUID()) => ({ idempotency: { key, request_hash: Buffer.alloc(32) } })

const askedFor = async (reference: string) =>
  (await mesh.asked('POST', INITIALIZE)).filter(({ body }) => body['reference'] === reference)

const asksOf = async (email: string) =>
  (await mesh.asked('POST', INITIALIZE)).filter(({ body }) => body['email'] === email)

describe('starting a top-up', () => {
  test('opens a checkout under a reference of ours for the owner, and moves nothing', async () => {
    const intent = await intend({ callback_url: 'https://shop.example/done' })
    expect(intent).toMatchObject({ amount_minor: AMOUNT, currency: 'NGN', idempotent_replay: false })
    expect(intent.authorization_url).toContain(intent.access_code)
    const [{ body }] = (await askedFor(intent.reference)) as [{ body: object }]
    expect(body).toMatchObject({
      email: merchant.email,
      amount: AMOUNT,
      currency: 'NGN',
      callback_url: 'https://shop.example/done',
      metadata: { merchant_id: merchant.id },
    })
    expect(await mesh.balanceOf(merchant.id)).toBe(0)
  })

  test.each([0, -1, AMOUNT - 1, 1_000_000_001, Number.MAX_SAFE_INTEGER])(
    'of %d is refused, with the bounds',
    async (amount_minor) => {
      await expect(intend({ amount_minor })).rejects.toMatchObject({
        code: 'validation_error',
        details: { field: 'amount_minor', min_minor: AMOUNT, max_minor: 1_000_000_000 },
      })
    },
  )

  test.each(['http://shop.example/', 'https://user:secret@shop.example/', 'javascript:alert(1)'])(
    'that would send the payer to %s is refused',
    async (callback_url) => {
      await expect(intend({ callback_url })).rejects.toMatchObject({
        code: 'validation_error',
        details: { field: 'callback_url' },
      })
    },
  )

  test('takes a live credential of a merchant that may write', async () => {
    await expect(intend({}, { ...merchant.caller, isTest: true })).rejects.toMatchObject({
      code: 'forbidden',
      details: { reason: 'live_mode_required' },
    })
    const reader = { ...merchant.caller, scopes: ['orders:read'] }
    for (const caller of [reader, riderCaller(randomUUID()), adminCaller()])
      await expect(intend({}, caller)).rejects.toMatchObject({ code: 'forbidden' })
    expect(await asksOf(merchant.email)).toEqual([])
  })

  test('needs an e-mail address for the provider', async () => {
    const nobody = { ...merchant.caller, credential: `user:${randomUUID()}` }
    await expect(intend({}, nobody)).rejects.toMatchObject({
      code: 'validation_error',
      details: { field: 'account_email' },
    })
  })

  test('by a log-in that acts for the merchant opens it for the owner of that merchant', async () => {
    const acting = { ...merchant.caller, credential: `user:${randomUUID()}`, actingFor: merchant.id }
    const { reference } = await intend({}, acting)
    expect((await asksOf(merchant.email)).map(({ body }) => body['reference'])).toEqual([reference])
  })

  test('says so where no provider is configured', async () => {
    const ctx = { ...mesh.wallet.context, payments: null }
    const wanted = { amountMinor: AMOUNT, callbackUrl: undefined, idempotency: undefined }
    const intent = createTopupIntent(ctx, byOf(merchant.caller), wanted)
    await expect(intent).rejects.toMatchObject({ code: 'payments_not_configured' })
  })
})

describe('the same Idempotency-Key', () => {
  test('is answered with the same page; the provider hears of one payment', async () => {
    const request = { ...keyed(), callback_url: 'https://shop.example/done' }
    const first = await intend(request)
    expect(first.idempotent_replay).toBe(false)
    expect(await intend(request)).toEqual({ ...first, idempotent_replay: true })
    expect(await asksOf(merchant.email)).toHaveLength(1)
  })

  test('with another amount or callback_url is a conflict', async () => {
    const request = { ...keyed(), callback_url: 'https://shop.example/done' }
    await intend(request)
    for (const change of [
      { amount_minor: AMOUNT + 1 },
      { callback_url: 'https://shop.example/' },
      { callback_url: undefined },
    ])
      await expect(intend({ ...request, ...change })).rejects.toMatchObject({ code: 'idempotency_conflict' })
  })

  test('of another request is a conflict though amount and callback are the same: a grantee is shown no page of its grantor', async () => {
    const request = keyed()
    const first = await intend(request)
    const { key } = request.idempotency
    const ofGrantee = { idempotency: { key, request_hash: Buffer.alloc(32, 1) } }
    await expect(intend(ofGrantee)).rejects.toMatchObject({ code: 'idempotency_conflict' })
    expect(await intend(request)).toEqual({ ...first, idempotent_replay: true })
  })

  test('of another merchant is another key', async () => {
    const request = keyed()
    const stranger = await mesh.merchant()
    const [ours, theirs] = [await intend(request), await intend(request, stranger.caller)]
    expect(theirs.reference).not.toBe(ours.reference)
    expect(theirs.idempotent_replay).toBe(false)
  })

  test('many at once open one checkout; the others get it too, or are told to wait', async () => {
    const request = keyed()
    const answers = await Promise.allSettled(Array.from({ length: 8 }, () => intend(request)))
    const first = await intend(request)
    for (const answer of answers) {
      if (answer.status === 'fulfilled') expect(answer.value.reference).toBe(first.reference)
      else expect(answer.reason).toMatchObject({ code: 'idempotency_in_progress', retryAfterSeconds: 1 })
    }
    expect(await asksOf(merchant.email)).toHaveLength(1)
  })

  test('is free again when its day is over', async () => {
    const request = keyed()
    const first = await intend(request)
    await mesh.wallet.database.shiftClock(24 * 3_600_000)
    try {
      expect(await intend({ ...request, amount_minor: AMOUNT + 1 })).toMatchObject({ idempotent_replay: false })
    } finally {
      await mesh.wallet.database.shiftClock(0)
    }
    await mesh.charge(first.reference, { outcome: 'success' })
    await eventually(async () => (await mesh.balanceOf(merchant.id)) === AMOUNT)
  })

  test.each([
    ['is refused by the provider', 'status', { status: 400 }],
    ['is answered by an outage', 'html_500', {}],
    ['gets an unreadable answer', 'garbage_json', {}],
    ['loses its way to the provider', 'reset_before', {}],
    ['loses the answer after the provider has acted', 'reset_after_commit', {}],
  ])('of a request that %s can be used again, under a new reference', async (_what, mode, more) => {
    const request = keyed()
    await mesh.fault(mode, INITIALIZE, more)
    await expect(intend(request)).rejects.toMatchObject({ code: 'service_unavailable' })
    const second = await intend(request)
    expect(second.idempotent_replay).toBe(false)
    expect(await askedFor(second.reference)).toHaveLength(1)
    expect(await asksOf(merchant.email)).toHaveLength(2)
  })

  test.each(['topup.stored', 'topup.initialized'])(
    'of a request that died at %s is free as soon as nobody can still be waiting',
    async (moment) => {
      const request = keyed()
      mesh.crashAt(moment)
      await expect(intend(request)).rejects.toMatchObject({ code: 'internal_error' })
      await expect(intend(request)).rejects.toMatchObject({ code: 'idempotency_in_progress' })
      await mesh.wallet.database.shiftClock(31_000)
      try {
        expect(await intend(request)).toMatchObject({ idempotent_replay: false })
      } finally {
        await mesh.wallet.database.shiftClock(0)
      }
    },
  )

  test('of a request that died with its page stored gets that page', async () => {
    const request = keyed()
    mesh.crashAt('topup.opened')
    await expect(intend(request)).rejects.toMatchObject({ code: 'internal_error' })
    expect(await intend(request)).toMatchObject({ idempotent_replay: true })
    expect(await asksOf(merchant.email)).toHaveLength(1)
  })
})
