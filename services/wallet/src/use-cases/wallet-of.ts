import type { Tenant } from '@svc/database'
import type { Context } from '../context.ts'
import { environmentOf, findWallet, type WalletRow } from '../db/wallets.ts'
import { openWallet } from './open-wallet.ts'

/** The merchant's wallet as it is now, opened when it is touched first. */
export async function walletOf(ctx: Context, tenant: Tenant): Promise<WalletRow> {
  const owner = { kind: 'merchant', id: tenant.merchantId } as const
  const isTest = environmentOf(tenant)
  const known = await ctx.transact(tenant, (tx) => findWallet(tx.sql, owner, isTest))
  return known ?? ctx.transact('every tenant', (tx) => openWallet(ctx, tx, { owner, isTest }))
}
