import type { By } from '@svc/grpc'
import { auditOf, type Fact } from '@svc/transact'
import type { StoredRateCard } from './db/rate-cards.ts'
import type { Rider } from './domain/rider.ts'
import { rateCardMessage } from './messages/rate-card.ts'
import { riderMessage } from './messages/rider.ts'

type RiderFactName = 'rider.created' | 'rider.updated'

/** A rider exists. */
export const riderCreated = (rider: Rider) => riderFact('rider.created', rider)

/** A rider changed; the fact holds all that it is now. */
export const riderUpdated = (rider: Rider) => riderFact('rider.updated', rider)

function riderFact(type: RiderFactName, rider: Rider): Fact<RiderFactName> {
  return {
    type,
    aggregateId: rider.id,
    aggregateVersion: rider.version,
    merchantId: rider.merchantId,
    isTest: false,
    payload: { rider: riderMessage(rider) },
  }
}

/** `rate_card.create`, `rate_card.update`: what an operator did to a rate card. */
export const rateCardAudit = (by: By, action: string, before: StoredRateCard | null, after: StoredRateCard) =>
  auditOf(by, {
    action,
    merchantId: after.merchantId,
    resourceType: 'rate_card',
    resourceId: after.id,
    before: before ? rateCardMessage(before) : undefined,
    after: rateCardMessage(after),
  })
