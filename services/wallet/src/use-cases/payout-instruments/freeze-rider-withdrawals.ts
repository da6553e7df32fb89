import type { By } from '@svc/grpc'
import type { Context } from '../../context.ts'
import { freezePayoutInstruments, lockPayoutInstruments } from '../../db/payout-instruments.ts'
import { freezeFrom } from '../../domain/payout-freeze.ts'

/** The rider withdraws nothing for a while; a rider without an instrument does not anyway, and adding one freezes too. */
export async function freezeRiderWithdrawals(ctx: Context, _by: By, { riderId }: { riderId: string }): Promise<void> {
  const owner = { kind: 'rider', id: riderId } as const
  await ctx.transact('every tenant', async (tx) => {
    const until = freezeFrom(owner.kind, false, tx.now, ctx.config.payoutFreezeHours)
    if (!until) return
    await lockPayoutInstruments(tx, owner)
    await freezePayoutInstruments(tx, owner, until)
  })
}
