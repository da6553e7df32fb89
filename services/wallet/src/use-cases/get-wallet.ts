import type { Tenant } from '@svc/database'
import { ServiceError } from '@svc/errors'
import type { Page } from '@svc/inputs'
import type { Context } from '../context.ts'
import { isKnownMerchant } from '../db/merchants.ts'
import { environmentOf } from '../db/wallets.ts'
import { readWallet, type Statement } from './read-wallet.ts'

/** The merchant's own wallet with a page of its entries. */
export async function getWallet(ctx: Context, tenant: Tenant, page: Page): Promise<Statement> {
  const owner = { kind: 'merchant', id: tenant.merchantId } as const
  return readWallet(ctx, { scope: tenant, owner, isTest: environmentOf(tenant), page })
}

/** For an operator: a merchant's live wallet; throws not_found for the id of no merchant. */
export async function getMerchantWallet(ctx: Context, merchantId: string, page: Page): Promise<Statement> {
  if (!(await ctx.transact('every tenant', (tx) => isKnownMerchant(tx, merchantId))))
    throw new ServiceError('not_found')
  return readWallet(ctx, { scope: 'every tenant', owner: { kind: 'merchant', id: merchantId }, isTest: false, page })
}
