import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { WithdrawalFact } from '@svc/contracts/wallet/v1/payout'
import { expectLedgerHolds } from './ledger-invariants.ts'
import { AMOUNT, observePayouts, referenceOf, transferEvent } from './observe-payouts.ts'
import { liveMerchant, operator, payee, rider, startPayouts, type TestPayouts } from './start-payouts.ts'

let payouts: TestPayouts
beforeAll(async () => {
  payouts = await startPayouts()
})
afterAll(async () => {
  await expectLedgerHolds(payouts.sql)
  await payouts.stop()
})

const { balances, pursued, reaches, rowOf, sent, underWay } = observePayouts(() => payouts)

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
      Array.from({ length: 5 }, () =>
        payouts.hook(transferEvent('transfer.success', { reference, status: 'success' })),
      ),
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
    const body = transferEvent('transfer.reversed', { reference, status: 'reversed' })
    const told = await Promise.all(Array.from({ length: 5 }, () => payouts.hook(body)))
    expect(told.filter(({ outcome }) => outcome === 'applied')).toHaveLength(1)
    expect(await rowOf(id)).toMatchObject({ status: 'failed', failure_reason: 'reversed', paid_at: null })
    expect(await balances(caller)).toEqual([500_000, 0])
  })

  test('that the provider refuses is back, with no word of the provider', async () => {
    const caller = await payee(payouts, liveMerchant(), 200_000_000_000)
    const reviewers = [await payouts.identity(), await payouts.identity()]
    const { withdrawal } = await payouts.as(caller).requestWithdrawal({ amount_minor: 150_000_000_000 })
    const { id } = withdrawal!
    for (const reviewer of reviewers) await payouts.as(reviewer).approveWithdrawal({ id })
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
    ['another amount', { amount: AMOUNT - 1 }],
    ['another currency', { currency: 'USD' }],
    ['no amount', { amount: null }],
  ])('tells that %s was paid: nothing moves', async (_what, fault) => {
    const { caller, id, reference } = await underWay()
    const data = { reference, status: 'success', ...fault }
    const reason = 'amount_differs'
    expect(await payouts.hook(transferEvent('transfer.success', data))).toMatchObject({ outcome: 'refused', reason })
    expect(await rowOf(id)).toMatchObject({ status: 'processing' })
    expect(await balances(caller)).toEqual([300_000, AMOUNT])
  })

  test.each([
    ['another amount', { amount: AMOUNT - 1 }],
    ['another currency', { currency: 'USD' }],
    ['no amount', { amount: null }],
  ])('tells that %s did not arrive: what was put aside is back, all of it and once', async (_what, fault) => {
    const { caller, id, reference } = await underWay()
    const told = []
    for (const name of ['failed', 'reversed', 'failed'])
      told.push(await payouts.hook(transferEvent(`transfer.${name}`, { reference, status: name, ...fault })))
    expect(told.map(({ outcome }) => outcome)).toEqual(['applied', 'ignored', 'ignored'])
    expect(await rowOf(id)).toMatchObject({ status: 'failed', failure_reason: 'failed' })
    expect(await balances(caller)).toEqual([500_000, 0])
  })

  test('tells that another amount came back than was paid: nothing moves', async () => {
    const { caller, id, reference } = await underWay()
    await payouts.end(reference, 'success')
    const body = transferEvent('transfer.reversed', { reference, status: 'reversed', amount: AMOUNT - 1 })
    expect(await payouts.hook(body)).toMatchObject({ outcome: 'refused', reason: 'amount_differs' })
    expect(await rowOf(id)).toMatchObject({ status: 'paid' })
    expect(await balances(caller)).toEqual([300_000, 0])
  })

  test('tells of a reference that was never made: nothing moves', async () => {
    const { caller, reference } = await underWay()
    for (const name of ['success', 'failed', 'reversed']) {
      const body = transferEvent(`transfer.${name}`, { reference: `${reference}_7`, status: name })
      expect(await payouts.hook(body)).toMatchObject({ outcome: 'refused', reason: 'unknown_reference' })
    }
    expect(await balances(caller)).toEqual([300_000, AMOUNT])
  })

  test('comes by the path of another merchant: nothing moves', async () => {
    const { caller, reference } = await underWay()
    const body = transferEvent('transfer.failed', { reference, status: 'failed' })
    expect(await payouts.hook(body, randomUUID())).toMatchObject({ outcome: 'refused', reason: 'tenant_mismatch' })
    const courier = await underWay(rider)
    const theirs = transferEvent('transfer.failed', { reference: courier.reference, status: 'failed' })
    expect(await payouts.hook(theirs, courier.caller.actor.id)).toMatchObject({ reason: 'tenant_mismatch' })
    expect(await payouts.hook(body, caller.merchantId)).toEqual({ outcome: 'applied' })
  })

  test('tells otherwise than the first: the first end stands', async () => {
    const paid = await underWay()
    await payouts.end(paid.reference, 'success')
    expect(await payouts.end(paid.reference, 'failed')).toMatchObject([{ outcome: 'refused', reason: 'contradicts' }])
    expect(await balances(paid.caller)).toEqual([300_000, 0])
    const failed = await underWay()
    await payouts.end(failed.reference, 'failed')
    expect(await payouts.end(failed.reference, 'success')).toMatchObject([
      { outcome: 'refused', reason: 'contradicts' },
    ])
    expect(await balances(failed.caller)).toEqual([500_000, 0])
  })

  test('tells of a withdrawal that nobody has approved: nothing moves', async () => {
    const caller = await payee(payouts, liveMerchant(), 500_000)
    const { withdrawal } = await payouts.as(caller).requestWithdrawal({ amount_minor: AMOUNT })
    const body = transferEvent('transfer.success', { reference: referenceOf(withdrawal!.id), status: 'success' })
    expect(await payouts.hook(body)).toMatchObject({ outcome: 'refused', reason: 'unknown_reference' })
    expect(await balances(caller)).toEqual([300_000, AMOUNT])
  })

  test('names a withdrawal beside a reference that is not its own: nothing moves', async () => {
    const { caller, id } = await underWay()
    const data = { reference: 'somebody-elses', status: 'success', metadata: { withdrawal_request_id: id } }
    expect(await payouts.hook(transferEvent('transfer.success', data))).toMatchObject({
      outcome: 'refused',
      reason: 'unknown_reference',
      merchantId: caller.merchantId,
    })
    expect(await balances(caller)).toEqual([300_000, AMOUNT])
  })

  test('waits where its withdrawal is not known, and is nobody’s where it is none of ours', async () => {
    const unknown = transferEvent('transfer.success', { reference: referenceOf(randomUUID()) })
    expect(await payouts.hook(unknown)).toEqual({ outcome: 'waiting', reason: 'unknown_withdrawal' })
    const foreign = transferEvent('transfer.success', { reference: '1976435206', metadata: '' })
    expect(await payouts.hook(foreign)).toEqual({ outcome: 'ignored', reason: 'not_ours' })
    const strange = transferEvent('transfer.delayed', { reference: referenceOf(randomUUID()) })
    expect(await payouts.hook(strange)).toEqual({ outcome: 'ignored', reason: 'unknown_event' })
  })
})
