import { type EntityManager, LockMode } from '@mikro-orm/postgresql'
import { ServiceError } from '@svc/errors'
import { Merchant } from '../domain/merchant.ts'

/** The merchant of the tenant; not_found for a stranger. */
export async function findMerchant(em: EntityManager, merchantId: string): Promise<Merchant> {
  return orNotFound(await em.findOne(Merchant, { id: merchantId }))
}

/** The same, held against other writers: nothing that hangs on its standing or counts its keys runs beside this. */
export async function lockMerchant(em: EntityManager, merchantId: string): Promise<Merchant> {
  return orNotFound(await em.findOne(Merchant, { id: merchantId }, { lockMode: LockMode.PESSIMISTIC_WRITE }))
}

function orNotFound(merchant: Merchant | null): Merchant {
  if (!merchant) throw new ServiceError('not_found')
  return merchant
}
