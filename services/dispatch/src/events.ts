import type { Fact } from '@svc/outbox'
import type { Rider } from './domain/rider.ts'
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
