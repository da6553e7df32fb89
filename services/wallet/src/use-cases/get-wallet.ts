import { ServiceError } from '@svc/errors'
import { type By, merchantNamed } from '@svc/grpc'
import type { Page } from '@svc/inputs'
import type { Context } from '../context.ts'
import { readStatement, type Statement } from '../db/ledger-entries.ts'
import { isKnownMerchant } from '../db/merchants.ts'
import { readWallet } from '../db/open-wallet.ts'
import { environmentOf } from '../db/wallets.ts'

interface Asked {
  /** For operators, who see its live wallet. */
  merchantId?: string | undefined
  page: Page
}

/** A merchant's wallet with a page of its entries; not_found where an operator names no merchant. */
export async function getWallet(ctx: Context, by: By, { merchantId, page }: Asked): Promise<Statement> {
  const { scope } = by
  const owner = { kind: 'merchant', id: merchantNamed(by, merchantId) } as const
  if (scope === 'every tenant' && !(await isKnownMerchant(ctx.reads.in(scope), owner.id)))
    throw new ServiceError('not_found')
  return readWallet(ctx, { scope, owner, isTest: environmentOf(scope) }, (tx, wallet) =>
    readStatement(tx, wallet, page),
  )
}
