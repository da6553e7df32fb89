import type { ListRidersRequest } from '@svc/contracts/dispatch/v1/rider_service'
import { pageOf, uuidField } from '@svc/inputs'
import type { Context } from '../../context.ts'
import { type LastLocation, lastLocations } from '../../db/last-locations.ts'
import { type Listed, listed } from '../../db/listed.ts'
import { RIDER_COLUMNS } from '../../db/riders.ts'
import type { Rider } from '../../domain/rider.ts'
import { kycStatusOf, oneOf } from '../../domain/rider-input.ts'

export type LocatedRider = Rider & { lastLocation?: LastLocation }

const SORTS = {
  created_desc: 'r.created_at DESC, r.id DESC',
  created_asc: 'r.created_at, r.id',
  updated_desc: 'r.updated_at DESC, r.id DESC',
  updated_asc: 'r.updated_at, r.id',
} as const
const SORT_NAMES = Object.keys(SORTS) as Array<keyof typeof SORTS>

/** Riders of everybody, for operators. */
export async function listRiders(ctx: Context, request: ListRidersRequest): Promise<Listed<LocatedRider>> {
  const { merchant_id, kyc_status, is_online } = request
  const found = await listed<Rider>(ctx.database.worker, {
    columns: RIDER_COLUMNS,
    from: 'riders r',
    where: {
      'r.merchant_id = ?::uuid': merchant_id === undefined ? undefined : uuidField('merchant_id', merchant_id),
      'r.kyc_status = ?': kyc_status === undefined ? undefined : kycStatusOf(kyc_status),
      'r.is_online = ?': is_online,
    },
    orderBy: SORTS[oneOf('sort', SORT_NAMES, request.sort || 'created_desc')],
    page: pageOf(request),
  })
  return located(ctx, found)
}

/** The same riders with where they were last. */
export async function located(ctx: Context, { items, total }: Listed<Rider>): Promise<Listed<LocatedRider>> {
  const locations = await lastLocations(
    ctx,
    items.map(({ id }) => id),
  )
  return { items: items.map((rider) => ({ ...rider, lastLocation: locations.get(rider.id) })), total }
}
