import { randomUUID } from 'node:crypto'
import type { RateCardInput } from '@svc/contracts/dispatch/v1/pricing_service'
import { ServiceError } from '@svc/errors'
import type { Caller } from '@svc/grpc'
import { auditOf } from '@svc/outbox'
import type { Context } from '../../context.ts'
import { lockRateCard, type StoredRateCard, storeRateCard } from '../../db/rate-cards.ts'
import { newTerms, nextTerms } from '../../domain/rate-card.ts'
import { rateCardMessage } from '../../messages/rate-card.ts'
import { merchantOf } from '../merchant-of.ts'

/** Makes a rate card of the platform or of a merchant. */
export async function createRateCard(ctx: Context, caller: Caller, input: RateCardInput): Promise<StoredRateCard> {
  const terms = newTerms(input)
  if (terms.merchantId !== null) await merchantOf(ctx, terms.merchantId)
  return ctx.transact('every tenant', async (tx) => {
    const card = { ...terms, id: randomUUID(), version: 1, createdAt: tx.now, updatedAt: tx.now }
    await storeRateCard(tx.sql, card)
    tx.publish(rateCardAudit(caller, 'rate_card.create', null, card))
    return card
  })
}

interface RateCardChange {
  id: string
  input: RateCardInput
  clearFields: readonly string[]
}

/** Makes the next version of a rate card; what was priced by an earlier one keeps its price. */
export async function updateRateCard(
  ctx: Context,
  caller: Caller,
  { id, input, clearFields }: RateCardChange,
): Promise<StoredRateCard> {
  return ctx.transact('every tenant', async (tx) => {
    const before = await lockRateCard(tx.sql, id)
    if (!before) throw new ServiceError('not_found')
    const { createdAt, updatedAt: _updatedAt, ...card } = before
    const terms = nextTerms(card, input, clearFields)
    const after = { ...terms, id, version: before.version + 1, createdAt, updatedAt: tx.now }
    await storeRateCard(tx.sql, after)
    tx.publish(rateCardAudit(caller, 'rate_card.update', before, after))
    return after
  })
}

const rateCardAudit = (caller: Caller, action: string, before: StoredRateCard | null, after: StoredRateCard) =>
  auditOf(caller, {
    action,
    merchantId: after.merchantId,
    resourceType: 'rate_card',
    resourceId: after.id,
    before: before ? rateCardMessage(before) : undefined,
    after: rateCardMessage(after),
  })
