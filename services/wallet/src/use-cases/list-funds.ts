import type { By } from '@svc/grpc'
import type { Context } from '../context.ts'
import { openWallet } from '../db/open-wallet.ts'
import { type AvailableFunds, findFunds, type MerchantWallet } from '../db/wallets.ts'

/** What merchants can spend now, in their order. A moment later it may be less: what counts is the debit itself. */
export async function listFunds(ctx: Context, _by: By, wallets: readonly MerchantWallet[]): Promise<AvailableFunds[]> {
  const known = await findFunds(ctx.database.worker, wallets)
  return Promise.all(wallets.map(async (wallet, nth) => known[nth] ?? opened(ctx, wallet)))
}

const opened = (ctx: Context, { merchantId: id, isTest }: MerchantWallet): Promise<AvailableFunds> =>
  ctx.transact('every tenant', (tx) => openWallet(ctx, tx, { owner: { kind: 'merchant', id }, isTest }))
