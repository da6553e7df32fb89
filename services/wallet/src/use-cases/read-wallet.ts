import type { Page } from '@svc/inputs'
import type { Scope } from '@svc/outbox'
import type { Context } from '../context.ts'
import { type EntryRow, listEntries } from '../db/ledger-entries.ts'
import { findWallet, type WalletRow } from '../db/wallets.ts'
import type { Owner } from '../domain/operation.ts'
import { openWallet } from './open-wallet.ts'

export interface Statement {
  wallet: WalletRow
  entries: EntryRow[]
}

interface Reading {
  /** Whose rows the reader may see. */
  scope: Scope
  owner: Owner
  isTest: boolean
  page: Page
}

/** A wallet and a page of its entries, newest first, as of one moment. */
export async function readWallet(ctx: Context, reading: Reading): Promise<Statement> {
  const { scope, owner, isTest, page } = reading
  const seen = await ctx.transact(scope, async (tx) => {
    const wallet = await findWallet(tx.sql, owner, isTest)
    return wallet && { wallet, entries: await listEntries(tx.sql, wallet, page) }
  })
  if (seen) return seen
  return ctx.transact('every tenant', async (tx) => {
    const wallet = await openWallet(ctx, tx, { owner, isTest })
    return { wallet, entries: await listEntries(tx.sql, wallet, page) }
  })
}
