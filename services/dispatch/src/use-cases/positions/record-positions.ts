import { refuseFaults, ServiceError } from '@svc/errors'
import type { By, Caller } from '@svc/grpc'
import { isUuid } from '@svc/inputs'
import type { Context } from '../../context.ts'
import type { Recorded } from '../../db/position-log.ts'
import { requireBilling } from '../../domain/billing.ts'
import { type NewPosition, positionFaults } from '../../domain/new-position.ts'

/**
 * Stores where a rider was and is, as told by the rider or by a merchant that may speak for it; durable on return.
 * rider_not_found for any other rider.
 */
export async function recordPositions(
  { config, positionLog }: Context,
  { caller }: By,
  { riderId, positions }: { riderId: string; positions: readonly NewPosition[] },
): Promise<Recorded> {
  if (config.billingEnforcement) requireStanding(caller)
  if (!isUuid(riderId) || (caller.kind === 'rider' && caller.actor.id !== riderId.toLowerCase())) {
    throw new ServiceError('rider_not_found')
  }
  refuseFaults(positionFaults(positions, new Date()))
  const tenantId = caller.merchantId ?? null
  const merchantId = isRidersWord(caller) ? null : tenantId
  const recorded = await positionLog({ riderId, merchantId, tenantId, isTest: caller.isTest, positions })
  if (!recorded) throw new ServiceError('rider_not_found')
  return recorded
}

/** What comes with a token that a merchant's key has minted, the merchant may have sent: it is the merchant's report. */
const isRidersWord = ({ kind, mintedBy }: Caller): boolean => kind === 'rider' && mintedBy === undefined

/** Freelancers stand for no merchant; a merchant of unknown standing is not let through. */
function requireStanding({ kind, standing }: Caller): void {
  if (standing) requireBilling(standing.billingStatus)
  else if (kind === 'merchant') throw new ServiceError('service_unavailable')
}
