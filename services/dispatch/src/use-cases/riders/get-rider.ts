import { ServiceError } from '@svc/errors'
import type { Caller } from '@svc/grpc'
import type { Context } from '../../context.ts'
import { findRider } from '../../db/riders.ts'
import { isSandbox } from '../../domain/rider.ts'
import { type LocatedRider, located } from './list-riders.ts'

export interface RiderMerchant {
  id: string
  name: string
  slug: string
}

export interface RiderAccount {
  rider: LocatedRider
  merchant?: RiderMerchant
}

/** A rider with the merchant of its fleet; of the sandbox rider the merchant to which the caller is bound. */
export async function getRider(ctx: Context, riderId: string, caller?: Caller): Promise<RiderAccount> {
  const found = await ctx.transact('every tenant', (tx) => findRider(tx, riderId))
  if (!found) throw new ServiceError('not_found')
  const {
    items: [rider],
  } = await located(ctx, { items: [found], total: 1 })
  const merchantId = isSandbox(found.id) ? caller?.merchantId : found.merchantId
  return { rider: rider!, merchant: merchantId ? await merchantCard(ctx, merchantId) : undefined }
}

async function merchantCard({ database }: Context, id: string): Promise<RiderMerchant | undefined> {
  const { rows } = await database.worker.query<RiderMerchant>('SELECT id, name, slug FROM merchants WHERE id = $1', [
    id,
  ])
  return rows[0]
}
