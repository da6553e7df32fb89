import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { AuditRecorded } from '@svc/contracts/common/v1/audit'
import { WithdrawalFact } from '@svc/contracts/wallet/v1/payout'
import type { Caller } from '@svc/grpc'
import { adminCaller, merchantCaller, onceAvailable, riderCaller } from '@svc/testing'
import { expectLedgerHolds } from './ledger-invariants.ts'
import {
  liveMerchant,
  newAccount,
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
afterAll(async () => {
  await expectLedgerHolds(payouts.sql)
  await payouts.stop()
})

const page = { limit: 0, offset: 0 }
const idempotency = (key: string, of: string) => ({ key, request_hash: Buffer.from(of) })

async function request(caller: Caller, amount_minor: number) {
  const { withdrawal } = await payouts.as(caller).requestWithdrawal({ amount_minor })
  return withdrawal!
}

const walletOf = async (caller: Caller) => {
  const client = payouts.wallet.as(caller)
  return caller.kind === 'rider' ? client.getRiderWallet(page) : client.getWallet(page)
}

async function thawed(ownerId: string): Promise<void> {
  await payouts.sql(`UPDATE payout_instruments SET frozen_until = NULL WHERE owner_id = $1`, [ownerId])
}

describe('a request', () => {
  test('and its cancellation are on record with who made them, once each', async () => {
    const caller = await payee(payouts, liveMerchant(), 500_000)
    const asked = { amount_minor: 150_000, idempotency: idempotency(randomUUID(), 'a') }
    const { withdrawal } = await payouts.as(caller).requestWithdrawal(asked)
    await payouts.as(caller).requestWithdrawal(asked)
    const { id } = withdrawal!
    await payouts.as(caller).cancelWithdrawal({ id })
    const rows = await payouts.sql<{ payload: Buffer }>(
      `SELECT payload FROM outbox WHERE type = 'audit.recorded' AND merchant_id = $1`,
      [caller.merchantId],
    )
    const acts = rows
      .map(({ payload }) => AuditRecorded.decode(payload))
      .filter(({ resource_id }) => resource_id === id)
      .toSorted((a, b) => b.action.localeCompare(a.action))
    expect(acts.map(({ action, actor_id }) => [action, actor_id])).toEqual([
      ['withdrawal.request', caller.actor.id],
      ['withdrawal.cancel', caller.actor.id],
    ])
    expect(acts[0]?.before_json).toBeUndefined()
    expect(JSON.parse(acts[0]!.after_json!)).toMatchObject({ status: 'pending_review', amount_minor: 150_000 })
    expect(JSON.parse(acts[1]!.before_json!)).toMatchObject({ status: 'pending_review' })
    expect(JSON.parse(acts[1]!.after_json!)).toMatchObject({ status: 'cancelled' })
  })

  test.each([
    ['merchant', liveMerchant],
    ['rider', rider],
  ] as const)('of a %s puts the amount aside and waits for review', async (owner_type, make) => {
    const caller = await payee(payouts, make(), 500_000)
    const owner = ownerOf(caller)
    await thawed(owner.id)
    const { withdrawal, replayed } = await payouts.as(caller).requestWithdrawal({ amount_minor: 200_000 })
    const [instrument] = (await payouts.as(caller).listPayoutInstruments({})).items
    expect(replayed).toBe(false)
    expect(withdrawal).toMatchObject({
      owner_type,
      owner_id: owner.id,
      amount_minor: 200_000,
      currency: 'NGN',
      status: 'pending_review',
      payout_instrument_id: instrument!.id,
      account_last4: instrument!.account_last4,
      bank_code: '058',
      approvals: 0,
      provider_reference: undefined,
    })
    const { wallet, ledger_transactions } = await walletOf(caller)
    expect(wallet).toMatchObject({ balance_minor: 500_000, available_minor: 300_000, held_minor: 200_000 })
    expect(ledger_transactions[0]).toMatchObject({
      entry_type: 'withdrawal_reserve',
      direction: 'debit',
      amount_minor: 200_000,
      balance_after_minor: 300_000,
      withdrawal_id: withdrawal!.id,
    })
    expect(await payouts.as(caller).listWithdrawals(page)).toEqual({
      items: [withdrawal],
      total: 1,
      limit: 50,
      offset: 0,
      min_amount_minor: 100_000,
      four_eyes_above_minor: 5_000_000,
    })
    const [fact] = await payouts.sql<{ merchant_id: string | null; payload: Buffer }>(
      `SELECT merchant_id, payload FROM outbox WHERE aggregate_id = $1 AND type = 'withdrawal.requested'`,
      [withdrawal!.id],
    )
    expect(fact!.merchant_id).toBe(owner_type === 'merchant' ? owner.id : null)
    expect(WithdrawalFact.decode(fact!.payload).withdrawal).toMatchObject({ id: withdrawal!.id, amount_minor: 200_000 })
  })

  test('64 of them at once on a balance for 10 are 10', async () => {
    const caller = await payee(payouts, liveMerchant(), 1_000_000)
    const requests = Array.from({ length: 64 }, () => onceAvailable(() => request(caller, 100_000)))
    const settled = await Promise.allSettled(requests)
    const refusals = settled.filter((one): one is PromiseRejectedResult => one.status === 'rejected')
    expect(refusals.filter(({ reason }) => reason.code !== 'wallet_insufficient')).toEqual([])
    expect(settled.length - refusals.length).toBe(10)
    expect((await walletOf(caller)).wallet).toMatchObject({ available_minor: 0, held_minor: 1_000_000 })
    expect((await payouts.as(caller).listWithdrawals(page)).total).toBe(10)
  })

  test('repeated under its key is the same withdrawal; the key means nothing to another owner', async () => {
    const caller = await payee(payouts, liveMerchant(), 500_000)
    const ask = (amount_minor: number, of = String(amount_minor)) =>
      payouts.as(caller).requestWithdrawal({ amount_minor, idempotency: idempotency('once', of) })
    const answers = await Promise.all(Array.from({ length: 5 }, () => ask(100_000)))
    expect(new Set(answers.map(({ withdrawal }) => withdrawal!.id)).size).toBe(1)
    expect(answers.filter(({ replayed }) => !replayed)).toHaveLength(1)
    await expect(ask(200_000)).rejects.toMatchObject({ code: 'idempotency_conflict' })
    const other = await payee(payouts, liveMerchant(), 500_000)
    const theirs = await payouts
      .as(other)
      .requestWithdrawal({ amount_minor: 100_000, idempotency: idempotency('once', 'x') })
    expect(theirs.replayed).toBe(false)
  })

  test('that was refused is judged afresh under the same key', async () => {
    const caller = await payee(payouts, liveMerchant(), 100_000)
    const ask = () =>
      payouts.as(caller).requestWithdrawal({ amount_minor: 300_000, idempotency: idempotency('k', 'a') })
    const insufficient = { code: 'wallet_insufficient', details: { required_minor: 300_000, balance_minor: 100_000 } }
    await expect(ask()).rejects.toMatchObject(insufficient)
    await payouts.fund(ownerOf(caller), 200_000)
    expect(await ask()).toMatchObject({ replayed: false, withdrawal: { status: 'pending_review' } })
  })

  test('whose answer was lost stands, and its repeat answers it', async () => {
    const caller = await payee(payouts, liveMerchant(), 300_000)
    const ask = () =>
      payouts.as(caller).requestWithdrawal({ amount_minor: 300_000, idempotency: idempotency('k', 'a') })
    payouts.dieAt('withdrawal.requested')
    await expect(ask()).rejects.toMatchObject({ code: 'internal_error' })
    expect(await ask()).toMatchObject({ replayed: true, withdrawal: { amount_minor: 300_000 } })
    expect((await walletOf(caller)).wallet).toMatchObject({ available_minor: 0, held_minor: 300_000 })
  })

  test.each([0, -1, 99_999, Number.MIN_SAFE_INTEGER])('of %p is refused, and says the least', async (amount_minor) => {
    const refused = payouts.as(liveMerchant()).requestWithdrawal({ amount_minor })
    const details = { field: 'amount_minor', min_minor: 100_000 }
    await expect(refused).rejects.toMatchObject({ code: 'validation_error', details })
  })

  test('names an instrument of the own, or the default is taken; without any there is nothing to pay to', async () => {
    const caller = liveMerchant()
    await payouts.fund(ownerOf(caller), 500_000)
    await expect(request(caller, 100_000)).rejects.toMatchObject({ code: 'payout_instrument_required' })
    const mine = payouts.as(caller)
    await mine.createPayoutInstrument(newAccount())
    const { payout_instrument: other } = await mine.createPayoutInstrument(newAccount())
    await thawed(caller.merchantId!)
    const named = await mine.requestWithdrawal({ amount_minor: 100_000, payout_instrument_id: other!.id })
    expect(named.withdrawal).toMatchObject({ payout_instrument_id: other!.id })

    const stranger = await payee(payouts, liveMerchant(), 500_000)
    for (const payout_instrument_id of [other!.id, randomUUID(), 'x'])
      await expect(
        payouts.as(stranger).requestWithdrawal({ amount_minor: 100_000, payout_instrument_id }),
      ).rejects.toMatchObject({ code: 'validation_error', details: { field: 'payout_instrument_id' } })
    expect((await walletOf(stranger)).wallet).toMatchObject({ held_minor: 0 })
  })

  test('of a rider is frozen for a day after a change of instruments, whichever is named', async () => {
    const caller = rider()
    await payouts.fund(ownerOf(caller), 500_000)
    const mine = payouts.as(caller)
    const { payout_instrument: old } = await mine.createPayoutInstrument(newAccount())
    await thawed(caller.actor.id)
    await request(caller, 100_000)
    const { payout_instrument: fresh } = await mine.createPayoutInstrument(newAccount())
    for (const payout_instrument_id of [old!.id, fresh!.id, undefined])
      await expect(mine.requestWithdrawal({ amount_minor: 100_000, payout_instrument_id })).rejects.toMatchObject({
        code: 'withdrawal_frozen',
        details: { frozen_until: fresh!.frozen_until },
      })
  })

  test('is not for test credentials, other scopes, callers who act for another, or merchants without verification', async () => {
    const unverified = { billingStatus: 'active', kybStatus: 'pending', businessApprovalStatus: 'approved' }
    const attempts: Array<[Caller, object]> = [
      [merchantCaller(), { code: 'forbidden', details: { reason: 'live_mode_required' } }],
      [riderCaller(randomUUID(), { isTest: true }), { code: 'forbidden', details: { reason: 'live_mode_required' } }],
      [{ ...liveMerchant(), scopes: ['orders:read'] }, { code: 'forbidden' }],
      [{ ...liveMerchant(), actingFor: randomUUID() }, { code: 'forbidden' }],
      [operator(), { code: 'forbidden' }],
      [{ ...liveMerchant(), standing: unverified }, { code: 'kyb_required' }],
      [{ ...liveMerchant(), standing: undefined }, { code: 'kyb_required' }],
    ]
    for (const [caller, refusal] of attempts) await expect(request(caller, 100_000)).rejects.toMatchObject(refusal)
  })
})

describe('lists', () => {
  test('show operators those of all owners, by status and owner, and owners their own, newest first', async () => {
    const [merchant, courier] = [await payee(payouts, liveMerchant(), 900_000), await payee(payouts, rider(), 900_000)]
    await thawed(courier.actor.id)
    const ids: string[] = []
    for (let n = 0; n < 3; n++) ids.push((await request(merchant, 100_000)).id)
    const theirs = await request(courier, 100_000)
    await payouts.as(merchant).cancelWithdrawal({ id: ids[0]! })

    const mine = await payouts.as(merchant).listWithdrawals({ limit: 2, offset: 0 })
    expect(mine).toMatchObject({ total: 3, limit: 2 })
    expect(mine.items.map(({ id }) => id)).toEqual([ids[2], ids[1]])
    expect((await payouts.as(courier).listWithdrawals(page)).items.map(({ id }) => id)).toEqual([theirs.id])

    const reader = payouts.as(adminCaller({ permissions: ['admin.withdrawals.read'] }))
    const owned = { ...page, owner_type: 'merchant', owner_id: merchant.merchantId! }
    expect((await reader.listWithdrawals(owned)).total).toBe(3)
    expect((await reader.listWithdrawals({ ...owned, status: 'cancelled' })).items).toMatchObject([{ id: ids[0] }])
    const riders = await reader.listWithdrawals({ limit: 200, offset: 0, owner_type: 'rider' })
    expect(riders.items.map(({ id }) => id)).toContain(theirs.id)
    expect(new Set(riders.items.map(({ owner_type }) => owner_type))).toEqual(new Set(['rider']))
    for (const fault of [{ status: 'gone' }, { owner_type: 'operator' }, { owner_id: 'x' }, { limit: 201 }])
      await expect(reader.listWithdrawals({ ...page, ...fault })).rejects.toMatchObject({ code: 'validation_error' })
    const other = payouts.as(adminCaller({ permissions: ['admin.ledger.read'] }))
    await expect(other.listWithdrawals(page)).rejects.toMatchObject({ code: 'forbidden' })
  })

  test('are empty in a sandbox', async () => {
    const caller = await payee(payouts, liveMerchant(), 200_000)
    await request(caller, 200_000)
    const sandbox = { ...caller, isTest: true }
    expect(await payouts.as(sandbox).listWithdrawals(page)).toMatchObject({ items: [], total: 0 })
  })
})

test('switched off by the operator, owners neither list nor request, and still get back what waits', async () => {
  const caller = await payee(payouts, liveMerchant(), 200_000)
  const { id } = await request(caller, 200_000)
  const { config } = payouts.context
  config.withdrawalsEnabled = false
  try {
    await expect(request(caller, 100_000)).rejects.toMatchObject({ code: 'feature_disabled' })
    await expect(payouts.as(caller).listWithdrawals(page)).rejects.toMatchObject({ code: 'feature_disabled' })
    await expect(payouts.as(caller).cancelWithdrawal({ id })).resolves.toMatchObject({
      withdrawal: { status: 'cancelled' },
    })
  } finally {
    config.withdrawalsEnabled = true
  }
})
