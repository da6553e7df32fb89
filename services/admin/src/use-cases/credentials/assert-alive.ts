import type { EntityManager } from '@mikro-orm/postgresql'
import { findMerchant } from '../../db/merchants.ts'
import type { Holder } from '../../domain/holder.ts'
import { unauthorized } from '../../domain/unauthorized.ts'

/** Throws for a revoked key (401) and for a live key of a merchant that may not trade live (403 kyb_required). */
export async function assertAlive(em: EntityManager, holder: Holder): Promise<void> {
  if (holder.verdict === 'revoked') throw unauthorized('revoked')
  if (holder.verdict === 'suspended') (await findMerchant(em, holder.merchantId)).assertMayTradeLive()
}
