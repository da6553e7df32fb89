import type { Tx } from '@svc/outbox'
import type { Context } from '../context.ts'
import { currencyOf } from '../db/merchants.ts'
import { postOperation } from '../db/post-operation.ts'
import { findWallet, openAccounts, type WalletRow } from '../db/wallets.ts'
import { OPERATOR, type Owner } from '../domain/operation.ts'

interface Wanted {
  owner: Owner
  isTest: boolean
}

/** The wallet of an owner, opened when it is touched first; a merchant's sandbox wallet is opened with its allowance. */
export async function openWallet({ config }: Pick<Context, 'config'>, tx: Tx, wanted: Wanted): Promise<WalletRow> {
  const { owner, isTest } = wanted
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
