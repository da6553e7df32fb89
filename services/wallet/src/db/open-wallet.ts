import type { Scope, Tx } from '@svc/transact'
import type { Context } from '../context.ts'
import { OPERATOR, type Owner } from '../domain/operation.ts'
import { currencyOf } from './merchants.ts'
import { postOperation } from './post-operation.ts'
import { findWallet, openAccounts, type WalletRow } from './wallets.ts'

interface WalletKey {
  owner: Owner
  isTest: boolean
}

/** The wallet of an owner, opened when it is touched first; a merchant's sandbox wallet is opened with its allowance. */
export async function openWallet(
  { config }: Pick<Context, 'config'>,
  tx: Tx,
  { owner, isTest }: WalletKey,
): Promise<WalletRow> {
  const known = await findWallet(tx.sql, owner, isTest)
  if (known) return known
  const currency = owner.kind === 'merchant' ? await currencyOf(tx, owner.id) : 'NGN'
  await openAccounts(tx, owner, currency, isTest)
  if (owner.kind === 'merchant' && isTest && config.sandboxWalletMinor > 0)
    await seedSandbox(tx, owner, currency, config.sandboxWalletMinor)
  return (await findWallet(tx.sql, owner, isTest))!
}

async function seedSandbox(tx: Tx, owner: Owner, currency: string, amountMinor: number): Promise<void> {
  await postOperation(tx, {
    opKey: `sandbox:${owner.id}`,
    kind: 'sandbox',
    subjectId: owner.id,
    merchantId: owner.id,
    isTest: true,
    currency,
    about: { description: 'Sandbox allowance' },
    postings: [
      { owner: OPERATOR, purpose: 'available', entryType: 'adjustment', amountMinor: -amountMinor },
      { owner, purpose: 'available', entryType: 'adjustment', amountMinor },
    ],
  })
}

/** What `read` finds out about a wallet under that scope; one that was never opened is opened first. */
export async function readWallet<T>(
  ctx: Pick<Context, 'config' | 'transact'>,
  { scope, ...key }: WalletKey & { scope: Scope },
  read: (tx: Tx, wallet: WalletRow) => Promise<T>,
): Promise<T> {
  const seen = await ctx.transact(scope, async (tx) => {
    const wallet = await findWallet(tx.sql, key.owner, key.isTest)
    return wallet && { found: await read(tx, wallet) }
  })
  if (seen) return seen.found
  return ctx.transact('every tenant', async (tx) => read(tx, await openWallet(ctx, tx, key)))
}
