import type { EntityManager } from '@mikro-orm/postgresql'
import { User } from '../domain/user.ts'

/** The user who logs in with the address, of whichever merchant: a login names no tenant. */
export function findUserByEmail(em: EntityManager, email: string): Promise<User | null> {
  return em.findOne(User, { email })
}

/** The user of the merchant. */
export function findUser(em: EntityManager, merchantId: string, id: string): Promise<User | null> {
  return em.findOne(User, { id, merchantId })
}

/** The first owner of the merchant. */
export function findOwner(em: EntityManager, merchantId: string): Promise<User | null> {
  return em.findOne(User, { merchantId, role: 'owner' }, { orderBy: { createdAt: 'asc' } })
}
