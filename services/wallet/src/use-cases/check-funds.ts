import type { Tenant } from '@svc/database'
import type { Context } from '../context.ts'
import { walletOf } from './wallet-of.ts'

export interface Funds {
  sufficient: boolean
  availableMinor: number
  currency: string
}

/** Whether what is available now reaches the amount. A moment later it may not: what counts is the debit itself. */
export async function checkFunds(ctx: Context, tenant: Tenant, requiredMinor: number): Promise<Funds> {
  const { available_minor, currency } = await walletOf(ctx, tenant)
  return { sufficient: available_minor >= requiredMinor, availableMinor: available_minor, currency }
}
