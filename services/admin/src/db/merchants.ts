import type { FilterQuery } from '@mikro-orm/core'
import { type EntityManager, LockMode } from '@mikro-orm/postgresql'
import { ServiceError } from '@svc/errors'
import type { Page } from '@svc/inputs'
import type { OrmTx } from '@svc/transact'
import { Merchant } from '../domain/merchant.ts'
import type { KybStatus } from '../domain/merchant-transitions.ts'

interface NewMerchant {
  id: string
  name: string
  slug: string
  email: string
  phone: string | null
}

/** A merchant as every merchant begins: paying as it goes, nothing submitted, nothing approved. */
export function insertMerchant(tx: OrmTx, given: NewMerchant): Merchant {
  return tx.em.create(Merchant, {
    ...given,
    merchantTier: 'pay_as_you_go',
    billingStatus: 'active',
    kybStatus: 'not_submitted',
    businessApprovalStatus: 'none',
    autoDispatchEnabled: true,
    dispatchMode: 'one_by_one',
    dispatchBatchSize: 3,
    fulfillmentMode: 'freelancer',
    messagingEngine: 'rules',
    currency: 'NGN',
    timezone: 'Africa/Lagos',
    createdAt: tx.now,
    updatedAt: tx.now,
    version: 1,
  })
}

export interface MerchantFilter {
  /** A piece of the name, in any case. */
  q?: string | undefined
  kybStatus?: KybStatus | undefined
}

/** Newest first, with the number of all. */
export function listMerchants(
  em: EntityManager,
  { q, kybStatus }: MerchantFilter,
  { limit, offset }: Page,
): Promise<[Merchant[], number]> {
  const where: FilterQuery<Merchant> = {
    ...(q ? { name: { $ilike: `%${q.replace(/[\\%_]/g, '\\$&')}%` } } : {}),
    ...(kybStatus === undefined ? {} : { kybStatus }),
  }
  return em.findAndCount(Merchant, where, { limit, offset, orderBy: { createdAt: 'desc', id: 'desc' } })
}

const QUEUED_APPROVALS = ['pending', 'rejected'] as const
export type QueuedApproval = (typeof QUEUED_APPROVALS)[number]

/** Those whose approval is due or was refused, what was changed longest ago first, with the number of all. */
export function queueOfApprovals(
  em: EntityManager,
  status: QueuedApproval | undefined,
  { limit, offset }: Page,
): Promise<[Merchant[], number]> {
  const where: FilterQuery<Merchant> = {
    businessApprovalStatus: { $in: status === undefined ? [...QUEUED_APPROVALS] : [status] },
    // Approval waits for a verified business alone.
    $or: [{ kybStatus: 'verified' }, { businessApprovalStatus: 'rejected' }],
  }
  return em.findAndCount(Merchant, where, { limit, offset, orderBy: { updatedAt: 'asc', id: 'asc' } })
}

/** The merchants whom operators, or the payment provider before, know by this reference: two at most, as one alone is meant. */
export async function idsOfReference(em: EntityManager, kybReference: string): Promise<string[]> {
  const found = await em.find(Merchant, { kybReference }, { limit: 2, orderBy: { id: 'asc' } })
  return found.map(({ id }) => id)
}

/** In the order of their ids, from behind `after` on. */
export const pageMerchants = (em: EntityManager, after: string | undefined, limit: number): Promise<Merchant[]> =>
  em.find(Merchant, after === undefined ? {} : { id: { $gt: after } }, { limit, orderBy: { id: 'asc' } })

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

/** Whether this version of the news on the merchant's billing is newer than all before; it is the newest from now on. */
export async function takeBillingVersion(tx: OrmTx, merchantId: string, version: number): Promise<boolean> {
  const { rowCount } = await tx.sql(
    'UPDATE merchants SET billing_version = $2 WHERE id = $1 AND billing_version < $2',
    [merchantId, version],
  )
  return rowCount > 0
}
