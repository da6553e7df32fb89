import type { Merchant } from '@svc/contracts/admin/v1/merchant'
import type { Tx } from '@svc/transact'
import type { Context } from '../context.ts'
import { storeMerchant } from '../db/merchants.ts'
import { openWallet } from '../db/open-wallet.ts'

/** Takes over what the wallet must know of a merchant and opens both of its wallets. */
export async function rememberMerchant(ctx: Context, tx: Tx, merchant: Merchant, version: number): Promise<void> {
  await storeMerchant(tx, merchant, version)
  const owner = { kind: 'merchant', id: merchant.id } as const
  for (const isTest of [false, true]) await openWallet(ctx, tx, { owner, isTest })
}
