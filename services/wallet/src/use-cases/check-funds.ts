import type { Tenant } from '@svc/database'
import type { Context } from '../context.ts'
import { environmentOf, findFunds } from '../db/wallets.ts'
import { openWallet } from './open-wallet.ts'

export interface Funds {
  sufficient: boolean
  availableMinor: number
  currency: string
}

/** Whether what is available now reaches the amount. A moment later it may not: what counts is the debit itself. */
export async function checkFunds(ctx: Context, tenant: Tenant, requiredMinor: number): Promise<Funds> {
  const owner = { kind: 'merchant', id: tenant.merchantId } as const
  const isTest = environmentOf(tenant)
  const known = await findFunds(ctx.database.worker, owner, isTest)
  const { available_minor, currency } =
    known ?? (await ctx.transact('every tenant', (tx) => openWallet(ctx, tx, { owner, isTest })))
  return { sufficient: available_minor >= requiredMinor, availableMinor: available_minor, currency }
}
