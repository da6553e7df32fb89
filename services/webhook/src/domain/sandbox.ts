import { ServiceError } from '@svc/errors'

interface Asking {
  caller: { isTest: boolean | null }
  scope: { merchantId: string }
}

/** The sandbox of the merchant who calls; refuses a live credential. */
export function sandboxOf({ caller, scope }: Asking): { merchantId: string; isTest: true } {
  if (caller.isTest !== true) throw new ServiceError('test_mode_required')
  return { merchantId: scope.merchantId, isTest: true }
}
