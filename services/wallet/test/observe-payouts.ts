import { expect } from '@jest/globals'
import type { Caller } from '@svc/grpc'
import { eventually } from '@svc/testing'
import { approved, liveMerchant, ownerOf, payee, type TestPayouts } from './start-payouts.ts'

/** Of each withdrawal that is under way. */
export const AMOUNT = 200_000

export const referenceOf = (id: string) => `wd_${id}`

/** A hook about a transfer of the amount, as bytes. */
export const transferEvent = (name: string, data: object) =>
  Buffer.from(JSON.stringify({ event: name, data: { domain: 'test', currency: 'NGN', amount: AMOUNT, ...data } }))

interface Row {
  status: string
  failure_reason: string | null
  provider_reference: string | null
  paid_at: Date | null
}

/** What a test sees of withdrawals that are being paid out. */
export function observePayouts(payouts: () => TestPayouts) {
  async function rowOf(id: string): Promise<Row> {
    const [row] = await payouts().sql<Row>(
      'SELECT status, failure_reason, provider_reference, paid_at FROM withdrawals WHERE id = $1',
      [id],
    )
    return row!
  }

  /** The intent has nothing left to do: what the provider answered has been acted upon. */
  async function pursued(id: string): Promise<void> {
    await eventually(async () => {
      const [row] = await payouts().sql<{ open: number }>(
        `SELECT count(*)::int AS open FROM intent WHERE subject_id = $1 AND state = 'pending'`,
        [id],
      )
      expect(row!.open).toBe(0)
    })
  }

  async function balances(caller: Caller): Promise<[available: number, held: number]> {
    const client = payouts().wallet.as(caller)
    const page = { limit: 1, offset: 0 }
    const { wallet } = await (caller.kind === 'rider' ? client.getRiderWallet(page) : client.getWallet(page))
    return [wallet!.available_minor, wallet!.held_minor]
  }

  /** An approved withdrawal that the provider has accepted, of a wallet of 500,000. */
  async function underWay(
    make: () => Caller = liveMerchant,
  ): Promise<{ caller: Caller; id: string; reference: string }> {
    const caller = await payee(payouts(), make(), 500_000)
    await payouts().sql('UPDATE payout_instruments SET frozen_until = NULL WHERE owner_id = $1', [ownerOf(caller).id])
    const id = await approved(payouts(), caller, AMOUNT)
    await pursued(id)
    return { caller, id, reference: referenceOf(id) }
  }

  return {
    rowOf,
    pursued,
    reaches: (id: string, status: string) => eventually(async () => expect(await rowOf(id)).toMatchObject({ status })),

    balances,
    /** Transfers that were sent for the withdrawal. */
    sent: async (id: string) =>
      (await payouts().asked('POST', '/transfer')).filter(({ body }) => body.reference?.startsWith(referenceOf(id))),

    underWay,
  }
}
