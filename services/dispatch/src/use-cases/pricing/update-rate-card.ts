import type { RateCardInput } from '@svc/contracts/dispatch/v1/pricing_service'
import { ServiceError } from '@svc/errors'
import type { By } from '@svc/grpc'
import type { Context } from '../../context.ts'
import { lockRateCard, type StoredRateCard, storeRateCard } from '../../db/rate-cards.ts'
import { nextTerms } from '../../domain/rate-card.ts'
import { rateCardAudit } from '../../events.ts'

interface RateCardChange {
  id: string
  card: RateCardInput
  clearFields: readonly string[]
}

/** Makes the next version of a rate card; what was priced by an earlier one keeps its price. */
export async function updateRateCard(
  ctx: Context,
  by: By,
  { id, card: input, clearFields }: RateCardChange,
): Promise<StoredRateCard> {
  return ctx.transact('every tenant', async (tx) => {
    const before = await lockRateCard(tx, id)
    if (!before) throw new ServiceError('not_found')
    const { createdAt, updatedAt: _updatedAt, ...card } = before
    const terms = nextTerms(card, input, clearFields)
    const after = { ...terms, id, version: before.version + 1, createdAt, updatedAt: tx.now }
    await storeRateCard(tx, after)
    tx.publish(rateCardAudit(by, 'rate_card.update', before, after))
    return after
  })
}
