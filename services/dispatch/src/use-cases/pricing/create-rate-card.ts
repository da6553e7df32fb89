import { randomUUID } from 'node:crypto'
import type { RateCardInput } from '@svc/contracts/dispatch/v1/pricing_service'
import type { By } from '@svc/grpc'
import type { Context } from '../../context.ts'
import { type StoredRateCard, storeRateCard } from '../../db/rate-cards.ts'
import { newTerms } from '../../domain/rate-card.ts'
import { rateCardAudit } from '../../events.ts'
import { merchantOf } from '../remember-merchant.ts'

/** Makes a rate card of the platform or of a merchant. */
export async function createRateCard(ctx: Context, by: By, input: RateCardInput): Promise<StoredRateCard> {
  const terms = newTerms(input)
  if (terms.merchantId !== null) await merchantOf(ctx, terms.merchantId)
  return ctx.transact('every tenant', async (tx) => {
    const card = { ...terms, id: randomUUID(), version: 1, createdAt: tx.now, updatedAt: tx.now }
    await storeRateCard(tx, card)
    tx.publish(rateCardAudit(by, 'rate_card.create', null, card))
    return card
  })
}
