import { ServiceError } from '@svc/errors'
import type { By } from '@svc/grpc'
import type { Context } from '../../context.ts'
import { type LocatedRider, located } from '../../db/last-locations.ts'
import { findMerchant } from '../../db/merchants.ts'
import { findRider } from '../../db/riders.ts'
import { isSandbox } from '../../domain/rider.ts'

export interface RiderAccount {
  rider: LocatedRider
  merchant?: { id: string; name: string; slug: string }
}

/** A rider with the merchant of its fleet; of the sandbox rider the merchant to which the caller is bound. */
export async function getRider({ database }: Context, { caller }: By, riderId: string): Promise<RiderAccount> {
  const found = await findRider(database, riderId)
  if (!found) throw new ServiceError('not_found')
  const {
    items: [rider],
  } = await located(database, { items: [found], total: 1 })
  const merchantId = isSandbox(found.id) && caller.kind === 'rider' ? caller.merchantId : found.merchantId
  const merchant = merchantId ? await findMerchant(database, merchantId) : null
  return { rider: rider!, merchant: merchant ?? undefined }
}
