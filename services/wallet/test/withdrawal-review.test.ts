import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { AuditRecorded } from '@svc/contracts/common/v1/audit'
import type { Caller } from '@svc/grpc'
import { adminCaller } from '@svc/testing'
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
    const [one, other] = [await payouts.identity(), await payouts.identity()]
    const { id } = await request(caller, 5_000_001)
    const [first, second] = [payouts.as(one), payouts.as(other)]
    expect(await first.approveWithdrawal({ id })).toMatchObject({
      withdrawal: { status: 'pending_review', approvals: 1 },
    })
    for (let n = 0; n < 2; n++)
      await expect(first.approveWithdrawal({ id })).rejects.toMatchObject({ code: 'second_approver_required' })
    expect(await second.approveWithdrawal({ id })).toMatchObject({ withdrawal: { status: 'approved', approvals: 2 } })
  })

  describe('of a large amount', () => {
    const refused = { code: 'second_approver_required' }
    const static_ = () => adminCaller({ actor: { type: 'admin', id: 'static' } })

    /** A withdrawal that the first has approved. */
    async function approvedBy(first: Caller): Promise<string> {
      const { id } = await request(await payee(payouts, liveMerchant(), 9_000_000), 9_000_000)
      expect(await payouts.as(first).approveWithdrawal({ id })).toMatchObject({
        withdrawal: { status: 'pending_review', approvals: 1 },
      })
      return id
    }

    test('takes no identity that the first approver made, directly or through others, also after its deletion', async () => {
      const first = await payouts.identity()
      const made = await payouts.identity(first)
      const madeByMade = await payouts.identity(made)
      await made.discard()
      const id = await approvedBy(first)
      await expect(payouts.as(made).approveWithdrawal({ id })).rejects.toMatchObject(refused)
      await expect(payouts.as(madeByMade).approveWithdrawal({ id })).rejects.toMatchObject(refused)
      const other = await approvedBy(madeByMade)
      await expect(payouts.as(first).approveWithdrawal({ id: other })).rejects.toMatchObject(refused)
    })

    test('takes no second approver who is younger than the withdrawal', async () => {
      const id = await approvedBy(await payouts.identity())
      const younger = await payouts.identity()
      await expect(payouts.as(younger).approveWithdrawal({ id })).rejects.toMatchObject(refused)
      await expect(payouts.as(operator()).approveWithdrawal({ id })).rejects.toMatchObject(refused)
    })

    test('counts the static token and all that it made as one approver', async () => {
      const [made, sibling, stranger] = [
        await payouts.identity(static_()),
        await payouts.identity(static_()),
        await payouts.identity(),
      ]
      const id = await approvedBy(static_())
      await expect(payouts.as(made).approveWithdrawal({ id })).rejects.toMatchObject(refused)
      const other = await approvedBy(made)
      await expect(payouts.as(static_()).approveWithdrawal({ id: other })).rejects.toMatchObject(refused)
      await expect(payouts.as(sibling).approveWithdrawal({ id: other })).rejects.toMatchObject(refused)
      for (const each of [id, other])
        expect(await payouts.as(stranger).approveWithdrawal({ id: each })).toMatchObject({
          withdrawal: { status: 'approved' },
        })
    })

    test('counts what the payee gets within a day, as owner and by its bank account', async () => {
      const [one, other] = [await payouts.identity(), await payouts.identity()]
      const account = newAccount()
      const owners = [liveMerchant(), rider()]
      for (const owner of owners) {
        await payouts.fund(ownerOf(owner), 20_000_000)
        await payouts.as(owner).createPayoutInstrument(account)
      }
      await payouts.sql('UPDATE payout_instruments SET frozen_until = NULL WHERE owner_id = $1', [owners[1]!.actor.id])
      const status = async (approver: Caller, id: string) =>
        (await payouts.as(approver).approveWithdrawal({ id })).withdrawal!.status

      const first = await request(owners[0]!, 5_000_000)
      expect(await status(one, first.id)).toBe('approved')
      for (const owner of owners) {
        const { id } = await request(owner, 100_000)
        expect(await status(one, id)).toBe('pending_review')
        expect(await status(other, id)).toBe('approved')
      }
      await payouts.sql(`UPDATE withdrawals SET reviewed_at = reviewed_at - interval '24 hours' WHERE owner_id = $1`, [
        owners[0]!.merchantId,
      ])
      expect(await status(one, (await request(owners[0]!, 4_000_000)).id)).toBe('approved')
    })

    test('lets small ones of one payee go out together only as far as the limit, however many operators are at it', async () => {
      const caller = await payee(payouts, liveMerchant(), 9_000_000)
      const ids: string[] = []
      for (let n = 0; n < 4; n++) ids.push((await request(caller, 2_000_000)).id)
      const answers = await Promise.all(ids.map((id) => payouts.as(operator()).approveWithdrawal({ id })))
      const approved = answers.filter(({ withdrawal }) => withdrawal!.status === 'approved')
      expect(approved).toHaveLength(2)
    })
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
    expect(acts.map(({ action }) => action)).toEqual(['withdrawal.request', 'withdrawal.approve', 'withdrawal.reject'])
    expect(JSON.parse(acts[2]!.after_json!)).toMatchObject({ status: 'rejected', approvals: 1 })
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
