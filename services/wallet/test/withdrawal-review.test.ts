import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { AuditRecorded } from '@svc/contracts/common/v1/audit'
import type { Caller } from '@svc/grpc'
import { adminCaller } from '@svc/testing'
import { expectLedgerHolds } from './ledger-invariants.ts'
import { liveMerchant, operator, payee, rider, startPayouts, type TestPayouts } from './start-payouts.ts'

let payouts: TestPayouts
beforeAll(async () => {
  payouts = await startPayouts()
})
afterAll(async () => {
  await expectLedgerHolds(payouts.sql)
  await payouts.stop()
})

const page = { limit: 0, offset: 0 }

async function request(caller: Caller, amount_minor: number) {
  const { withdrawal } = await payouts.as(caller).requestWithdrawal({ amount_minor })
  return withdrawal!
}

const walletOf = async (caller: Caller) => {
  const client = payouts.wallet.as(caller)
  return caller.kind === 'rider' ? client.getRiderWallet(page) : client.getWallet(page)
}

describe('a review', () => {
  test('cancels only what waits, and once', async () => {
    const caller = await payee(payouts, liveMerchant(), 200_000)
    const { id } = await request(caller, 200_000)
    for (const stranger of [liveMerchant(), rider(), rider(caller.merchantId!)])
      await expect(payouts.as(stranger).cancelWithdrawal({ id })).rejects.toMatchObject({ code: 'not_found' })
    const settled = await Promise.allSettled([1, 2].map(() => payouts.as(caller).cancelWithdrawal({ id })))
    expect(settled.toSorted((one, other) => one.status.localeCompare(other.status))).toMatchObject([
      { value: { withdrawal: { status: 'cancelled' } } },
      { reason: { code: 'invalid_state', details: { status: 'cancelled' } } },
    ])
    const { wallet, ledger_transactions } = await walletOf(caller)
    expect(wallet).toMatchObject({ available_minor: 200_000, held_minor: 0 })
    expect(ledger_transactions[0]).toMatchObject({ entry_type: 'withdrawal_reversal', direction: 'credit' })
    await expect(payouts.as(operator()).approveWithdrawal({ id })).rejects.toMatchObject({
      code: 'invalid_state',
      details: { status: 'cancelled' },
    })
  })

  test('rejects with a reason that the owner reads; the money is back', async () => {
    const caller = await payee(payouts, liveMerchant(), 200_000)
    const { id } = await request(caller, 200_000)
    const reviewer = operator()
    await payouts.as(reviewer).rejectWithdrawal({ id, reason: 'The name does not match.' })
    const { items } = await payouts.as(caller).listWithdrawals(page)
    expect(items).toMatchObject([
      { status: 'rejected', failure_reason: 'The name does not match.', reviewed_by: reviewer.actor.id },
    ])
    expect((await walletOf(caller)).wallet).toMatchObject({ available_minor: 200_000, held_minor: 0 })
    await expect(payouts.as(caller).cancelWithdrawal({ id })).rejects.toMatchObject({ code: 'invalid_state' })
    await expect(payouts.as(reviewer).retryWithdrawal({ id })).rejects.toMatchObject({ code: 'invalid_state' })
    const tooLong = payouts.as(reviewer).rejectWithdrawal({ id, reason: 'x'.repeat(513) })
    await expect(tooLong).rejects.toMatchObject({ code: 'validation_error' })
  })

  test('that rejects without a reason says that it was rejected', async () => {
    const caller = await payee(payouts, liveMerchant(), 200_000)
    const { id } = await request(caller, 200_000)
    const { withdrawal } = await payouts.as(operator()).rejectWithdrawal({ id })
    expect(withdrawal).toMatchObject({ status: 'rejected', failure_reason: 'rejected' })
  })

  test('of a large amount takes two operators, however often the first one asks', async () => {
    const caller = await payee(payouts, liveMerchant(), 9_000_000)
    const { id } = await request(caller, 5_000_001)
    const [first, second] = [payouts.as(operator()), payouts.as(operator())]
    expect(await first.approveWithdrawal({ id })).toMatchObject({
      withdrawal: { status: 'pending_review', approvals: 1 },
    })
    for (let n = 0; n < 2; n++)
      await expect(first.approveWithdrawal({ id })).rejects.toMatchObject({ code: 'second_approver_required' })
    expect(await second.approveWithdrawal({ id })).toMatchObject({ withdrawal: { status: 'approved', approvals: 2 } })
  })

  test('by one operator in many tabs at once is one approval', async () => {
    const caller = await payee(payouts, liveMerchant(), 9_000_000)
    const { id } = await request(caller, 6_000_000)
    const mine = payouts.as(operator())
    const answers = await Promise.allSettled(Array.from({ length: 6 }, () => mine.approveWithdrawal({ id })))
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    const [row] = await payouts.sql('SELECT status, approvals FROM withdrawals WHERE id = $1', [id])
    expect(row).toEqual({ status: 'pending_review', approvals: 1 })
  })

  test('that races a cancellation has one outcome', async () => {
    const caller = await payee(payouts, liveMerchant(), 3_000_000)
    for (let n = 0; n < 5; n++) {
      const { id } = await request(caller, 100_000)
      const settled = await Promise.allSettled([
        payouts.as(caller).cancelWithdrawal({ id }),
        payouts.as(operator()).rejectWithdrawal({ id }),
        payouts.as(operator()).approveWithdrawal({ id }),
      ])
      expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    }
  })

  test('leaves an audit row each time', async () => {
    const caller = await payee(payouts, liveMerchant(), 9_000_000)
    const { id } = await request(caller, 6_000_000)
    await payouts.as(operator()).approveWithdrawal({ id })
    await payouts.as(operator()).rejectWithdrawal({ id })
    const rows = await payouts.sql<{ payload: Buffer }>(
      `SELECT payload FROM outbox WHERE type = 'audit.recorded' AND merchant_id = $1 ORDER BY seq`,
      [caller.merchantId],
    )
    const acts = rows
      .map(({ payload }) => AuditRecorded.decode(payload))
      .filter(({ resource_id }) => resource_id === id)
    expect(acts.map(({ action }) => action)).toEqual(['withdrawal.approve', 'withdrawal.reject'])
    expect(JSON.parse(acts[1]!.after_json!)).toMatchObject({ status: 'rejected', approvals: 1 })
  })

  test('is for operators with the permission', async () => {
    const caller = await payee(payouts, liveMerchant(), 200_000)
    const { id } = await request(caller, 200_000)
    const reader = adminCaller({ permissions: ['admin.withdrawals.read'] })
    for (const one of [caller, reader].map((each) => payouts.as(each)))
      for (const attempt of [one.approveWithdrawal({ id }), one.rejectWithdrawal({ id }), one.retryWithdrawal({ id })])
        await expect(attempt).rejects.toMatchObject({ code: 'forbidden' })
    const mine = payouts.as(operator())
    for (const unknown of [randomUUID(), 'x'])
      for (const decide of ['approveWithdrawal', 'rejectWithdrawal', 'retryWithdrawal'] as const)
        await expect(mine[decide]({ id: unknown })).rejects.toMatchObject({ code: 'not_found' })
  })
})
