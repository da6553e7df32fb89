import { ServiceError } from '@svc/errors'
import type { By } from '@svc/grpc'
import type { Tx } from '@svc/transact'
import type { Context } from '../../context.ts'
import { changeRider, createRider, lockRiderByPhone, type NewRider } from '../../db/riders.ts'
import type { Rider } from '../../domain/rider.ts'

type Registration = Pick<NewRider, 'name' | 'phone' | 'vehicleType' | 'city'>

/**
 * A freelancer joins; one with a known phone is returned as it is, and a rider who has left a fleet is a freelancer again.
 * One phone is one rider, however many ask. phone_in_use where it is that of a fleet's rider.
 */
export async function registerRider(ctx: Context, _by: By, registration: Registration): Promise<Rider> {
  const given = { ...registration, riderType: 'freelancer' as const, merchantId: null }
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
