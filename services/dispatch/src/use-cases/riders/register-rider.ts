import type { RegisterRiderRequest } from '@svc/contracts/dispatch/v1/rider_service'
import { ServiceError } from '@svc/errors'
import type { Tx } from '@svc/outbox'
import type { Context } from '../../context.ts'
import { lockRiderByPhone } from '../../db/riders.ts'
import { type Rider, requirePhone } from '../../domain/rider.ts'
import { requireText, vehicleTypeOf } from '../../domain/rider-input.ts'
import { changeRider, createRider } from './change-rider.ts'

/**
 * A freelancer joins; one whose phone is known is returned as he is, and who has left a fleet is a freelancer again. One
 * phone is one rider, however many ask. phone_in_use where it is that of a fleet's rider.
 */
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
    async (tx) => (await createRider(tx, given)) ?? (await knownFreelancer(tx, given.phone)),
  )
}

async function knownFreelancer(tx: Tx, phone: string): Promise<Rider> {
  const known = (await lockRiderByPhone(tx, phone))!
  if (known.merchantId !== null) throw new ServiceError('phone_in_use')
  return known.riderType === 'freelancer' ? known : changeRider(tx, known.id, { riderType: 'freelancer' })
}
