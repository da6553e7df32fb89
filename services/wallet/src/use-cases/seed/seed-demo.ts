import { setTimeout as wait } from 'node:timers/promises'
import { ServiceError } from '@svc/errors'
import { systemCaller } from '@svc/grpc'
import { z } from 'zod'
import type { Context } from '../../context.ts'
import { listPayoutInstruments } from '../../db/payout-instruments.ts'
import { postAdjustment } from '../../db/post-adjustment.ts'
import type { Owner } from '../../domain/operation.ts'
import { addPayoutInstrument } from '../payout-instruments/create-payout-instrument.ts'

export const seedInput = z.object({
  merchant_id: z.uuid(),
  funds_minor: z.int().min(1),
  rider_ids: z.array(z.uuid()),
})

type SeedInput = z.output<typeof seedInput>

const BANK_CODE = '058'
const PROVIDER_TRIES = 60
const PROVIDER_PAUSE_MS = 500

/**
 * Funds the merchant's live wallet once and gives the riders an unfrozen default payout instrument each. The merchant names
 * its own: its first one freezes nothing, a further one would freeze what the guide of the wallet asks for next.
 */
export async function seedDemo(ctx: Context, input: SeedInput): Promise<void> {
  const merchant: Owner = { kind: 'merchant', id: input.merchant_id }
  await postAdjustment(ctx, {
    opKey: `seed:${merchant.id}`,
    owner: merchant,
    isTest: false,
    amountMinor: input.funds_minor,
    description: 'First money of the demonstration',
  })
  if (!ctx.payments) return
  const unfrozen = { ...ctx, config: { ...ctx.config, payoutFreezeHours: 0 } }
  for (const [index, id] of input.rider_ids.entries()) await seedInstrument(unfrozen, { kind: 'rider', id }, index)
}

async function seedInstrument(ctx: Context, owner: Owner, index: number): Promise<void> {
  if ((await ctx.transact('every tenant', (tx) => listPayoutInstruments(tx.sql, owner))).length > 0) return
  const accountNumber = `01${String(index + 1).padStart(8, '0')}`
  const account = { bankCode: BANK_CODE, accountNumber, accountName: 'Demo Account', isDefault: true }
  // The provider's double may be on its way up.
  for (let tries = 1; ; tries++) {
    try {
      await addPayoutInstrument(ctx, systemCaller('seed'), owner, account)
      return
    } catch (error) {
      const isAway = error instanceof ServiceError && error.code === 'service_unavailable'
      if (!isAway || tries === PROVIDER_TRIES) throw error
      await wait(PROVIDER_PAUSE_MS)
    }
  }
}
