import { ServiceError } from '@svc/errors'
import type { CashFilter } from './cash.ts'

interface Caller {
  scope: { merchantId: string; isTest: boolean | null } | 'every tenant'
  caller: {
    kind: string
    actor: { id: string }
    isTest: boolean | null
    merchantId?: string
    /** The key with which a merchant minted the token of its rider. */
    mintedBy?: unknown
  }
}

/**
 * Whether a rider's token reaches the cash of the merchant alone that it is bound to: all share the sandbox rider, and a
 * token that a merchant minted for its rider says nothing of others.
 */
export const reachesOneMerchant = ({ isTest, mintedBy }: Caller['caller']): boolean =>
  isTest === true || mintedBy !== undefined

/** Whose cash the caller may decide about: a merchant its own, a rider what it has in hand. */
export function cashReach({ scope, caller }: Caller): CashFilter & { by: 'rider' | 'merchant' } {
  if (scope !== 'every tenant') return { by: 'merchant', merchantId: scope.merchantId, isTest: scope.isTest === true }
  if (caller.kind !== 'rider') throw new ServiceError('forbidden')
  const riderId = caller.actor.id
  const isTest = caller.isTest === true
  if (!reachesOneMerchant(caller)) return { by: 'rider', riderId, isTest }
  if (caller.merchantId === undefined) throw new ServiceError('not_found')
  return { by: 'rider', riderId, merchantId: caller.merchantId, isTest }
}
