import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { WithdrawalFact } from '@svc/contracts/wallet/v1/payout'
import type { Caller } from '@svc/grpc'
import type { Intent } from '@svc/outbox'
import { eventually } from '@svc/testing'
import { payOut } from '../src/use-cases/withdrawals/pay-out.ts'
import { expectLedgerHolds } from './ledger-invariants.ts'
import {
  approved,
  liveMerchant,
  operator,
  ownerOf,
  payee,
  rider,
  startPayouts,
  type TestPayouts,
} from './start-payouts.ts'

let payouts: TestPayouts
beforeAll(async () => {
  payouts = await startPayouts()
})
beforeEach(() => payouts.dieAt('nowhere'))
afterAll(async () => {
  await expectLedgerHolds(payouts.sql)
  await payouts.stop()
})

const AMOUNT = 200_000

interface Row {
  status: string
  failure_reason: string | null
  provider_reference: string | null
}

async function rowOf(id: string): Promise<Row> {
  const [row] = await payouts.sql<Row>(
    'SELECT status, failure_reason, provider_reference FROM withdrawals WHERE id = $1',
    [id],
  )
  return row!
}

const reaches = (id: string, status: string) =>
  eventually(async () => expect(await rowOf(id)).toMatchObject({ status }), { timeoutMs: 20_000 })

/** The intent has nothing left to do: what the provider answered has been acted upon. */
const pursued = (id: string) =>
  eventually(
    async () => {
      const [row] = await payouts.sql<{ open: number }>(
        `SELECT count(*)::int AS open FROM intent WHERE subject_id = $1 AND state = 'pending'`,
        [id],
      )
      expect(row!.open).toBe(0)
    },
    { timeoutMs: 20_000 },
  )

async function balances(caller: Caller): Promise<[available: number, held: number]> {
  const client = payouts.wallet.as(caller)
  const page = { limit: 1, offset: 0 }
  const { wallet } = await (caller.kind === 'rider' ? client.getRiderWallet(page) : client.getWallet(page))
  return [wallet!.available_minor, wallet!.held_minor]
}

const referenceOf = (id: string) => `wd_${id}`
const sent = async (id: string) =>
  (await payouts.asked('POST', '/transfer')).filter(({ body }) => body.reference?.startsWith(referenceOf(id)))

/** An approved withdrawal that the provider has accepted, of a wallet of 500,000. */
async function underWay(make: () => Caller = liveMerchant): Promise<{ caller: Caller; id: string; reference: string }> {
  const caller = await payee(payouts, make(), 500_000)
  await payouts.sql('UPDATE payout_instruments SET frozen_until = NULL WHERE owner_id = $1', [ownerOf(caller).id])
  const id = await approved(payouts, caller, AMOUNT)
  await pursued(id)
  return { caller, id, reference: referenceOf(id) }
}

const event = (name: string, data: object) =>
  Buffer.from(JSON.stringify({ event: name, data: { domain: 'test', currency: 'NGN', amount: AMOUNT, ...data } }))

describe('a payout', () => {
  test.each([
    ['merchant', liveMerchant],
    ['rider', rider],
  ] as const)('to a %s leaves the wallet once the provider says it succeeded', async (_kind, make) => {
    const { caller, id, reference } = await underWay(make)
    expect(await rowOf(id)).toMatchObject({ status: 'processing', provider_reference: reference })
    expect(await balances(caller)).toEqual([300_000, AMOUNT])
    expect((await sent(id)).map(({ body }) => body)).toMatchObject([{ reference, amount: AMOUNT, currency: 'NGN' }])

    expect(await payouts.end(reference, 'success')).toEqual([{ outcome: 'applied' }])
    expect(await rowOf(id)).toMatchObject({ status: 'paid', failure_reason: null })
    expect(await balances(caller)).toEqual([300_000, 0])
    const client = payouts.wallet.as(caller)
    const page = { limit: 2, offset: 0 }
    const statement = await (caller.kind === 'rider' ? client.getRiderWallet(page) : client.getWallet(page))
    expect(statement.ledger_transactions).toMatchObject([
      { entry_type: 'withdrawal_paid', amount_minor: 0, balance_after_minor: 300_000, reference, withdrawal_id: id },
      { entry_type: 'withdrawal_reserve', amount_minor: AMOUNT, balance_after_minor: 300_000 },
    ])
  })

  test('announces each status once, in order', async () => {
    const { id, reference } = await underWay()
    await payouts.end(reference, 'success', { times: 3 })
    const facts = await payouts.sql<{ type: string; aggregate_version: number; payload: Buffer }>(
      'SELECT type, aggregate_version, payload FROM outbox WHERE aggregate_id = $1 ORDER BY seq',
      [id],
    )
    expect(facts.map(({ type, aggregate_version }) => [type, aggregate_version])).toEqual([
      ['withdrawal.requested', 1],
      ['withdrawal.approved', 2],
      ['withdrawal.processing', 3],
      ['withdrawal.paid', 4],
    ])
    const { withdrawal } = WithdrawalFact.decode(facts[3]!.payload)
    expect(withdrawal).toMatchObject({ id, status: 'paid', provider_reference: reference, approvals: 1 })
    expect(withdrawal!.paid_at).toBeDefined()
  })

  test('of which five hooks tell at once leaves the wallet once', async () => {
    const { caller, reference } = await underWay()
    const told = await Promise.all(
      Array.from({ length: 5 }, () => payouts.hook(event('transfer.success', { reference, status: 'success' }))),
    )
    expect(told.map(({ outcome }) => outcome).toSorted()).toEqual(['applied', ...Array(4).fill('ignored')])
    expect(await balances(caller)).toEqual([300_000, 0])
  })

  test('that failed is back at once, whoever tells it how often', async () => {
    const { caller, id, reference } = await underWay()
    const [first, ...others] = await payouts.end(reference, 'failed', { times: 4 })
    expect(first).toEqual({ outcome: 'applied' })
    expect(others).toEqual(Array(3).fill({ outcome: 'ignored', reason: 'known_already' }))
    expect(await rowOf(id)).toMatchObject({ status: 'failed', failure_reason: 'failed' })
    expect(await balances(caller)).toEqual([500_000, 0])
  })

  test('that is reversed after it was paid is back, once', async () => {
    const { caller, id, reference } = await underWay()
    await payouts.end(reference, 'success')
    const body = event('transfer.reversed', { reference, status: 'reversed' })
    const told = await Promise.all(Array.from({ length: 5 }, () => payouts.hook(body)))
    expect(told.filter(({ outcome }) => outcome === 'applied')).toHaveLength(1)
    expect(await rowOf(id)).toMatchObject({ status: 'failed', failure_reason: 'reversed' })
    expect(await balances(caller)).toEqual([500_000, 0])
  })

  test('that the provider refuses is back, with no word of the provider', async () => {
    const caller = await payee(payouts, liveMerchant(), 200_000_000_000)
    const { withdrawal } = await payouts.as(caller).requestWithdrawal({ amount_minor: 150_000_000_000 })
    const { id } = withdrawal!
    for (const reviewer of [operator(), operator()]) await payouts.as(reviewer).approveWithdrawal({ id })
    await reaches(id, 'failed')
    expect(await rowOf(id)).toMatchObject({ failure_reason: 'rejected' })
    expect(await balances(caller)).toEqual([200_000_000_000, 0])
  })
})

describe('a second attempt', () => {
  test('reserves again, under a new reference; hooks about the first are ignored', async () => {
    const { caller, id, reference } = await underWay()
    await payouts.end(reference, 'failed')
    const { withdrawal } = await payouts.as(operator()).retryWithdrawal({ id })
    expect(withdrawal).toMatchObject({
      status: 'processing',
      provider_reference: `${reference}_2`,
      failure_reason: undefined,
    })
    expect(await balances(caller)).toEqual([300_000, AMOUNT])
    await pursued(id)
    expect((await sent(id)).map(({ body }) => body.reference)).toEqual([reference, `${reference}_2`])
    for (const outcome of ['success', 'failed', 'reversed'] as const)
      expect(await payouts.end(reference, outcome)).toEqual([{ outcome: 'ignored', reason: 'old_reference' }])
    expect(await balances(caller)).toEqual([300_000, AMOUNT])
    expect(await payouts.end(`${reference}_2`, 'success')).toEqual([{ outcome: 'applied' }])
    expect(await balances(caller)).toEqual([300_000, 0])
  })

  test('is refused where the money has gone meanwhile, and stays possible', async () => {
    const { caller, id, reference } = await underWay()
    await payouts.end(reference, 'failed')
    const { withdrawal: other } = await payouts.as(caller).requestWithdrawal({ amount_minor: 400_000 })
    const retry = () => payouts.as(operator()).retryWithdrawal({ id })
    const details = { required_minor: AMOUNT, balance_minor: 100_000 }
    await expect(retry()).rejects.toMatchObject({ code: 'wallet_insufficient', details })
    expect(await rowOf(id)).toMatchObject({ status: 'failed', provider_reference: reference })
    await payouts.as(caller).cancelWithdrawal({ id: other!.id })
    expect(await retry()).toMatchObject({ withdrawal: { status: 'processing' } })
  })

  test('asked for by many at once is one', async () => {
    const { caller, id, reference } = await underWay()
    await payouts.end(reference, 'failed')
    const settled = await Promise.allSettled(
      Array.from({ length: 5 }, () => payouts.as(operator()).retryWithdrawal({ id })),
    )
    expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await balances(caller)).toEqual([300_000, AMOUNT])
  })
})

describe('a hook that does not fit', () => {
  test.each([
    ['another amount', { amount: AMOUNT - 1 }, 'amount_differs'],
    ['another currency', { currency: 'USD' }, 'amount_differs'],
    ['no amount', { amount: null }, 'amount_differs'],
    ['an attempt that was never made', { attempt: 7 }, 'unknown_reference'],
  ])('tells of %s: nothing moves', async (_what, fault, reason) => {
    const { caller, id, reference } = await underWay()
    const data = {
      reference: 'attempt' in fault ? `${reference}_${fault.attempt}` : reference,
      status: 'success',
      ...fault,
    }
    for (const name of ['success', 'failed', 'reversed'])
      expect(await payouts.hook(event(`transfer.${name}`, data))).toEqual({ outcome: 'refused', reason })
    expect(await rowOf(id)).toMatchObject({ status: 'processing' })
    expect(await balances(caller)).toEqual([300_000, AMOUNT])
  })

  test('comes by the path of another merchant: nothing moves', async () => {
    const { caller, reference } = await underWay()
    const body = event('transfer.failed', { reference, status: 'failed' })
    expect(await payouts.hook(body, randomUUID())).toEqual({ outcome: 'refused', reason: 'tenant_mismatch' })
    const courier = await underWay(rider)
    const theirs = event('transfer.failed', { reference: courier.reference, status: 'failed' })
    expect(await payouts.hook(theirs, courier.caller.actor.id)).toMatchObject({ reason: 'tenant_mismatch' })
    expect(await payouts.hook(body, caller.merchantId)).toEqual({ outcome: 'applied' })
  })

  test('tells otherwise than the first: the first end stands', async () => {
    const paid = await underWay()
    await payouts.end(paid.reference, 'success')
    expect(await payouts.end(paid.reference, 'failed')).toEqual([{ outcome: 'refused', reason: 'contradicts' }])
    expect(await balances(paid.caller)).toEqual([300_000, 0])
    const failed = await underWay()
    await payouts.end(failed.reference, 'failed')
    expect(await payouts.end(failed.reference, 'success')).toEqual([{ outcome: 'refused', reason: 'contradicts' }])
    expect(await balances(failed.caller)).toEqual([500_000, 0])
  })

  test('tells of a withdrawal that nobody has approved: nothing moves', async () => {
    const caller = await payee(payouts, liveMerchant(), 500_000)
    const { withdrawal } = await payouts.as(caller).requestWithdrawal({ amount_minor: AMOUNT })
    const body = event('transfer.success', { reference: referenceOf(withdrawal!.id), status: 'success' })
    expect(await payouts.hook(body)).toEqual({ outcome: 'refused', reason: 'unknown_reference' })
    expect(await balances(caller)).toEqual([300_000, AMOUNT])
  })

  test('names a withdrawal beside a reference that is not its own: nothing moves', async () => {
    const { caller, id } = await underWay()
    const data = { reference: 'somebody-elses', status: 'success', metadata: { withdrawal_request_id: id } }
    expect(await payouts.hook(event('transfer.success', data))).toEqual({
      outcome: 'refused',
      reason: 'unknown_reference',
    })
    expect(await balances(caller)).toEqual([300_000, AMOUNT])
  })

  test('waits where its withdrawal is not known, and is nobody’s where it is none of ours', async () => {
    const unknown = event('transfer.success', { reference: referenceOf(randomUUID()) })
    expect(await payouts.hook(unknown)).toEqual({ outcome: 'waiting', reason: 'unknown_withdrawal' })
    const foreign = event('transfer.success', { reference: '1976435206', metadata: '' })
    expect(await payouts.hook(foreign)).toEqual({ outcome: 'ignored', reason: 'not_ours' })
    const strange = event('transfer.delayed', { reference: referenceOf(randomUUID()) })
    expect(await payouts.hook(strange)).toEqual({ outcome: 'ignored', reason: 'unknown_event' })
  })
})

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

  test.each(['payout.begun', 'payout.sent', 'payout.settled'])(
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

  test('an attempt that nobody pursues any more is taken up again, under its reference', async () => {
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

  test('a transfer that stays pending stays open, and is asked about ever again', async () => {
    const { caller, id, reference } = await underWay()
    const verified = async () => (await payouts.asked('GET', `/transfer/verify/${reference}`)).length
    await eventually(async () => expect(await verified()).toBeGreaterThanOrEqual(3))
    expect(await rowOf(id)).toMatchObject({ status: 'processing' })
    expect(await balances(caller)).toEqual([300_000, AMOUNT])
    expect(await sent(id)).toHaveLength(1)
  })
})
