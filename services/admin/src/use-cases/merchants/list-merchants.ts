import type { FilterQuery } from '@mikro-orm/core'
import type { Page } from '@svc/inputs'
import type { Context } from '../../context.ts'
import { KYB_STATUSES, oneOf } from '../../domain/enumerations.ts'
import { Merchant } from '../../domain/merchant.ts'

interface ListMerchants extends Page {
  /** A piece of the name, in any case. */
  q?: string
  kybStatus?: string
}

/** All merchants, newest first, for an operator. */
export async function listMerchants(
  ctx: Context,
  { q, kybStatus, limit, offset }: ListMerchants,
): Promise<{ merchants: Merchant[]; total: number }> {
  const where: FilterQuery<Merchant> = {
    ...(q ? { name: { $ilike: `%${q.replace(/[\\%_]/g, '\\$&')}%` } } : {}),
    ...(kybStatus === undefined ? {} : { kybStatus: oneOf('kyb_status', KYB_STATUSES, kybStatus) }),
  }
  const orderBy = { createdAt: 'desc', id: 'desc' } as const
  const em = ctx.database.workerOrm.em.fork()
  const [merchants, total] = await em.findAndCount(Merchant, where, { limit, offset, orderBy })
  return { merchants, total }
}
