import { ServiceError } from '@svc/errors'
import type { CashFilter } from './cash.ts'

interface Caller {
  scope: { merchantId: string; isTest: boolean | null } | 'every tenant'
  caller: { kind: string; actor: { id: string }; isTest: boolean | null; merchantId?: string | undefined }
}

/** Whose cash the caller may decide about: a merchant its own, a rider what it has in hand. */
export function cashReach({ scope, caller }: Caller): CashFilter & { by: 'rider' | 'merchant' } {
  if (scope !== 'every tenant') return { by: 'merchant', merchantId: scope.merchantId, isTest: scope.isTest === true }
  if (caller.kind !== 'rider') throw new ServiceError('forbidden')
  const riderId = caller.actor.id
  if (caller.isTest !== true) return { by: 'rider', riderId, isTest: false }
  // All share the sandbox rider: it reaches the cash of the merchant that its token is bound to.
  if (caller.merchantId === undefined) throw new ServiceError('not_found')
  return { by: 'rider', riderId, merchantId: caller.merchantId, isTest: true }
}
