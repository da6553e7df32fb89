import { ServiceError } from '@svc/errors'
import { type Call, requireMerchant } from '@svc/grpc'
import { resourceId } from '@svc/inputs'
import type { Owner } from '../domain/operation.ts'
import { requireLive } from './require-live.ts'

/** Whose money the caller may have paid out: its own. Throws for whoever acts for somebody else, and for sandboxes. */
export function payoutOwner(call: Call): Owner {
  const owner = payoutReader(call)
  if (owner.kind === 'merchant') requireMerchant(call, 'orders:write')
  requireLive(call)
  return owner
}

/** The same for reads, which sandboxes may do: nothing is ever paid out there, and that is what they see. */
export function payoutReader(call: Call): Owner {
  const { caller } = call
  if (caller.actingFor !== undefined) throw new ServiceError('forbidden', { details: { reason: 'acting_for_another' } })
  if (caller.kind === 'rider') return { kind: 'rider', id: resourceId(caller.actor.id) }
  const scope = caller.scopes.includes('orders:write') ? 'orders:write' : 'orders:read'
  return { kind: 'merchant', id: requireMerchant(call, scope).merchantId }
}
