import { ServiceError } from '@svc/errors'
import type { Page } from '@svc/inputs'
import type { Context } from '../context.ts'
import { findWallet } from '../db/wallets.ts'
import { readWallet, type Statement } from './read-wallet.ts'

/** A rider's wallet with a page of its entries. */
export async function getRiderWallet(
  ctx: Context,
  rider: { id: string; isTest: boolean },
  page: Page,
): Promise<Statement> {
  const owner = { kind: 'rider', id: rider.id } as const
  return readWallet(ctx, { scope: 'every tenant', owner, isTest: rider.isTest, page })
}

/** For an operator: the same; throws not_found for a rider who has never had a wallet. */
export async function getNamedRiderWallet(ctx: Context, riderId: string, page: Page): Promise<Statement> {
  const owner = { kind: 'rider', id: riderId } as const
  if (!(await ctx.transact('every tenant', (tx) => findWallet(tx.sql, owner, false))))
    throw new ServiceError('not_found')
  return getRiderWallet(ctx, { id: riderId, isTest: false }, page)
}
