import type { RegisterRiderRequest } from '@svc/contracts/dispatch/v1/rider_service'
import type { Context } from '../../context.ts'
import { lockRiderByPhone } from '../../db/riders.ts'
import { type Rider, requirePhone } from '../../domain/rider.ts'
import { requireText, vehicleTypeOf } from '../../domain/rider-input.ts'
import { createRider } from './change-rider.ts'

/** A freelancer joins; whoever has the phone already is returned as he is. One phone is one rider, however many ask. */
export async function registerRider(ctx: Context, request: RegisterRiderRequest): Promise<Rider> {
  const given = {
    riderType: 'freelancer' as const,
    merchantId: null,
    name: requireText('name', request.name, 200),
    phone: requirePhone(request.phone),
    vehicleType: vehicleTypeOf(request.vehicle_type),
    city: request.city === undefined ? null : requireText('city', request.city, 100),
  }
  return ctx.transact(
    'every tenant',
    async (tx) => (await createRider(tx, given)) ?? (await lockRiderByPhone(tx, given.phone))!,
  )
}
