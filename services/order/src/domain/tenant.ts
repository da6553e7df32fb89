import { ServiceError } from '@svc/errors'

/** A merchant in one environment: what a write belongs to. */
export interface WriteTenant {
  merchantId: string
  isTest: boolean
}

/** The tenant for which a caller writes; throws forbidden while it is open which environment is meant. */
export function writeTenant({ merchantId, isTest }: { merchantId: string; isTest: boolean | null }): WriteTenant {
  if (isTest === null) throw new ServiceError('forbidden')
  return { merchantId, isTest }
}
