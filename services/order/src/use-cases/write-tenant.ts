import { ServiceError } from '@svc/errors'
import type { Caller } from '@svc/grpc'
import { tenantOf } from '@svc/grpc'

/** A merchant in one environment: what a write belongs to. */
export interface WriteTenant {
  merchantId: string
  isTest: boolean
}

/** The tenant for which the caller writes; throws forbidden while it is open which environment is meant. */
export function writeTenant(caller: Caller): WriteTenant {
  const { merchantId, isTest } = tenantOf(caller)
  if (isTest === null) throw new ServiceError('forbidden')
  return { merchantId, isTest }
}
