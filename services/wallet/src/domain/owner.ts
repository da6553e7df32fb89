import { ServiceError } from '@svc/errors'
import type { Owner } from './operation.ts'

interface Payee {
  scope: { merchantId: string } | 'every tenant'
  caller: { kind: string; actor: { id: string } }
}

/** Whose money the caller may have paid out: a merchant's its own, a rider's its own; throws forbidden for any other. */
export function ownerOf({ scope, caller }: Payee): Owner {
  if (scope !== 'every tenant') return { kind: 'merchant', id: scope.merchantId }
  if (caller.kind === 'rider') return { kind: 'rider', id: caller.actor.id }
  throw new ServiceError('forbidden')
}
