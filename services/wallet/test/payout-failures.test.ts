import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import type { Intent } from '@svc/intents'
import { eventually } from '@svc/testing'
import { payOut } from '../src/use-cases/withdrawals/transfer.ts'
import { expectLedgerHolds } from './ledger-invariants.ts'
import { AMOUNT, observePayouts, referenceOf } from './observe-payouts.ts'
import { approved, liveMerchant, operator, payee, startPayouts, type TestPayouts } from './start-payouts.ts'

let payouts: TestPayouts
beforeAll(async () => {
  payouts = await startPayouts()
})
beforeEach(() => payouts.dieAt('nowhere'))
afterAll(async () => {
  await expectLedgerHolds(payouts.sql)
  await payouts.stop()
})

const { balances, pursued, reaches, rowOf, sent, underWay } = observePayouts(() => payouts)

describe('whatever breaks on the way', () => {
  test.each([
    ['the answer is lost after the transfer was made', { mode: 'reset_after_commit' }, 1],
    ['the answer cannot be read', { mode: 'garbage_json' }, 1],
    ['the transfer never arrives', { mode: 'reset_before' }, 2],
    ['the provider has an error page', { mode: 'html_500' }, 2],
    ['the provider is busy', { mode: 'status', status: 429 }, 2],
    ['the provider refuses our key', { mode: 'status', status: 401 }, 2],
  ])('%s: there is one transfer, under one reference', async (_what, fault, requests) => {
    await payouts.fault({ ...fault, match: { method: 'POST', path: '/transfer' } })
    const { caller, id, reference } = await underWay()
    expect((await sent(id)).map(({ body }) => body.reference)).toEqual(Array(requests).fill(reference))
    expect(await rowOf(id)).toMatchObject({ status: 'processing', provider_reference: reference })
    expect(await payouts.end(reference, 'success')).toEqual([{ outcome: 'applied' }])
    expect(await balances(caller)).toEqual([300_000, 0])
  })

  test.each([
    ['comes late', { mode: 'delay', delayMs: 1_500 }],
    ['never comes', { mode: 'reset_after_commit' }],
  ])('the hook comes first and the answer %s: it is paid once', async (_what, fault) => {
    await payouts.fault({ ...fault, match: { method: 'POST', path: '/transfer' } })
    const caller = await payee(payouts, liveMerchant(), 500_000)
    const id = await approved(payouts, caller, AMOUNT)
    await eventually(async () => expect(await sent(id)).toHaveLength(1))
    const told = await eventually(() => payouts.end(referenceOf(id), 'success'))
    expect(told).toEqual([{ outcome: 'applied' }])
    expect(await rowOf(id)).toMatchObject({ status: 'paid' })
    await pursued(id)
    expect(await sent(id)).toHaveLength(1)
    expect(await balances(caller)).toEqual([300_000, 0])
  })

  test('the provider is away for some time: then it is paid', async () => {
    for (const path of ['/transfer', '/transfer/verify/*'])
      await payouts.fault({ mode: 'reset_before', match: { path }, count: path === '/transfer' ? 1 : 3 })
    const { id, reference } = await underWay()
    expect(await sent(id)).toHaveLength(2)
    expect(await payouts.end(reference, 'success')).toEqual([{ outcome: 'applied' }])
  })

  test.each(['payout.begun', 'payout.stamped', 'payout.sent', 'payout.settled'])(
    'the worker dies at %s, twice: there is one transfer, and its end counts once',
    async (step) => {
      payouts.dieAt(step, 2)
      const { caller, id, reference } = await underWay()
      expect(await sent(id)).toHaveLength(1)
      expect(await payouts.end(reference, 'success', { times: 2 })).toMatchObject([{ outcome: 'applied' }, {}])
      expect(await balances(caller)).toEqual([300_000, 0])
    },
  )

  test('the process dies after a decision was made: the decision stands, and the payout goes out', async () => {
    const caller = await payee(payouts, liveMerchant(), 500_000)
    const { withdrawal } = await payouts.as(caller).requestWithdrawal({ amount_minor: AMOUNT })
    const { id } = withdrawal!
    payouts.dieAt('withdrawal.decided')
    await expect(payouts.as(operator()).approveWithdrawal({ id })).rejects.toMatchObject({ code: 'internal_error' })
    await expect(payouts.as(operator()).approveWithdrawal({ id })).rejects.toMatchObject({ code: 'invalid_state' })
    await reaches(id, 'processing')
    await pursued(id)
    expect(await sent(id)).toHaveLength(1)
  })

  test('many workers pursue the same attempt at once: there is one transfer', async () => {
    const { caller, id, reference } = await underWay()
    await payouts.end(reference, 'success', { hook: false })
    const intent = { subject_id: id, payload: { attempt: 1 } } as Intent
    await Promise.all(Array.from({ length: 6 }, () => payOut(payouts.context, intent)))
    expect(await sent(id)).toHaveLength(1)
    expect(await rowOf(id)).toMatchObject({ status: 'paid' })
    expect(await balances(caller)).toEqual([300_000, 0])
  })
})

describe('without hooks', () => {
  let swept: TestPayouts
  beforeAll(async () => {
    swept = payouts
    payouts = await startPayouts({ PAYMENT_SWEEP_AFTER_MS: '300', PAYMENT_SWEEP_INTERVAL_MS: '200' })
  })
  afterEach(() => payouts.database.shiftClock(0))
  afterAll(async () => {
    await expectLedgerHolds(payouts.sql)
    await payouts.stop()
    payouts = swept
  })

  test.each([
    ['success', 'paid', [300_000, 0]],
    ['failed', 'failed', [500_000, 0]],
    ['reversed', 'failed', [500_000, 0]],
  ] as const)('a transfer that ended in %s is found out', async (outcome, status, left) => {
    const { caller, id, reference } = await underWay()
    await payouts.end(reference, outcome, { hook: false })
    await reaches(id, status)
    expect(await balances(caller)).toEqual(left)
  })

  test('an attempt that no worker pursues any more is taken up again, under its reference', async () => {
    payouts.dieAt('payout.begun')
    const caller = await payee(payouts, liveMerchant(), 500_000)
    const id = await approved(payouts, caller, AMOUNT)
    await reaches(id, 'processing')
    await payouts.sql(`UPDATE intent SET state = 'declined' WHERE subject_id = $1`, [id])
    await eventually(async () => expect(await sent(id)).toHaveLength(1))
    await payouts.end(referenceOf(id), 'success', { hook: false })
    await reaches(id, 'paid')
    expect((await sent(id)).map(({ body }) => body.reference)).toEqual([referenceOf(id)])
    expect(await balances(caller)).toEqual([300_000, 0])
  })

  test('a transfer that stays pending stays open, and is asked about again and again', async () => {
    const { caller, id, reference } = await underWay()
    const verified = async () => (await payouts.asked('GET', `/transfer/verify/${reference}`)).length
    await eventually(async () => expect(await verified()).toBeGreaterThanOrEqual(3))
    expect(await rowOf(id)).toMatchObject({ status: 'processing' })
    expect(await balances(caller)).toEqual([300_000, AMOUNT])
    expect(await sent(id)).toHaveLength(1)
  })
  const DAY_MS = 86_400_000

  test.each([1, 13])(
    'a transfer that is reversed %d days after it was paid is found out: the money is back',
    async (days) => {
      const { caller, id, reference } = await underWay()
      await payouts.end(reference, 'success', { hook: false })
      await reaches(id, 'paid')
      await payouts.database.shiftClock(days * DAY_MS)
      const verified = async () => (await payouts.asked('GET', `/transfer/verify/${reference}`)).length
      const before = await verified()
      await eventually(async () => expect(await verified()).toBeGreaterThan(before))
      await pursued(id)
      expect(await rowOf(id)).toMatchObject({ status: 'paid' })
      await payouts.end(reference, 'reversed', { hook: false })
      await payouts.database.shiftClock((days + 1) * DAY_MS)
      await reaches(id, 'failed')
      expect(await rowOf(id)).toMatchObject({ failure_reason: 'reversed', paid_at: null })
      expect(await balances(caller)).toEqual([500_000, 0])
      expect(await sent(id)).toHaveLength(1)
    },
  )

  test('after two weeks a paid transfer is asked about once more, and never again', async () => {
    const { id, reference } = await underWay()
    await payouts.end(reference, 'success')
    await payouts.database.shiftClock(20 * DAY_MS)
    await eventually(async () => {
      const [row] = await payouts.sql('SELECT verify_at FROM withdrawals WHERE id = $1', [id])
      expect(row).toEqual({ verify_at: null })
    })
    await pursued(id)
    expect(await rowOf(id)).toMatchObject({ status: 'paid' })
  })
})
