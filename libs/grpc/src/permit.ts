import { ServiceError } from '@svc/errors'
import type { Caller } from './caller.ts'
import type { Call } from './definition.ts'
import type { Tenant } from './tenant.ts'

/** The tenant for whom the caller acts; throws forbidden when there is none. */
export function tenantOf(caller: Caller): Tenant {
  if (!caller.merchantId) throw new ServiceError('forbidden')
  return { merchantId: caller.merchantId, isTest: caller.isTest }
}

/** The tenant of a merchant's call; throws forbidden for any other caller and, when a scope is named, without it. */
export function requireMerchant(call: Pick<Call, 'caller'>, scope?: string): Tenant {
  const { caller } = call
  if (caller.kind !== 'merchant') throw new ServiceError('forbidden')
  if (scope !== undefined && !caller.scopes.includes(scope)) missing(scope)
  return tenantOf(caller)
}

/** The operator who calls; throws forbidden for any other caller and, when a permission is named, without it. */
export function requireAdmin(call: Pick<Call, 'caller'>, permission?: string): Caller {
  const { caller } = call
  if (caller.kind !== 'admin') throw new ServiceError('forbidden')
  if (permission !== undefined && !caller.permissions?.includes(permission)) missing(permission)
  return caller
}

function missing(required: string): never {
  throw new ServiceError('forbidden', { details: { required: [required] } })
}
