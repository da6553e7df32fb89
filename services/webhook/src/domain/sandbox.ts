import { ServiceError } from '@svc/errors'
import type { By, Tenant } from '@svc/grpc'

/** The sandbox of the merchant who calls; refuses a live credential. */
export function sandboxOf({ caller, scope }: By<Tenant>): { merchantId: string; isTest: true } {
  if (caller.isTest !== true) throw new ServiceError('test_mode_required')
  return { merchantId: scope.merchantId, isTest: true }
}
