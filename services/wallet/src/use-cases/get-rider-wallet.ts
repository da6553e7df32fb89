import { ServiceError } from '@svc/errors'
import { type By, held, riderOf } from '@svc/grpc'
import { type Page, resourceId } from '@svc/inputs'
import type { Context } from '../context.ts'
import { readStatement, type Statement } from '../db/ledger-entries.ts'
import { readWallet } from '../db/open-wallet.ts'
import { findWallet } from '../db/wallets.ts'

interface Asked {
  /** For operators, who see the live wallet. */
  riderId?: string | undefined
  page: Page
}

/** A rider's wallet with a page of its entries; not_found where an operator names a rider who never had one. */
export async function getRiderWallet(ctx: Context, by: By, { riderId, page }: Asked): Promise<Statement> {
  if (riderId === undefined) return read(ctx, riderOf(by), by.caller.isTest ?? false, page)
  held(by, 'admin.ledger.read')
  const id = resourceId(riderId)
  if (!(await findWallet(ctx.reads.in('every tenant').sql, { kind: 'rider', id }, false)))
    throw new ServiceError('not_found')
  return read(ctx, id, false, page)
}

const read = (ctx: Context, id: string, isTest: boolean, page: Page): Promise<Statement> =>
  readWallet(ctx, { scope: 'every tenant', owner: { kind: 'rider', id }, isTest }, (tx, wallet) =>
    readStatement(tx, wallet, page),
  )
