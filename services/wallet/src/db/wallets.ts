import type { Reads, Scope, Tx } from '@svc/transact'
import type { Owner } from '../domain/operation.ts'

/** Both accounts of an owner in one environment. */
export interface WalletRow {
  /** Of the available account, which the wallet is known by. */
  id: string
  available_minor: number
  held_minor: number
  currency: string
  updated_at: Date
  /** Entries of the available account. */
  entries: number
}

/** The wallet of an owner in one environment, or null where it was never opened. */
export async function findWallet(sql: Tx['sql'], owner: Owner, isTest: boolean): Promise<WalletRow | null> {
  const { rows } = await sql<WalletRow>(
    `SELECT a.id, a.balance_minor AS available_minor, coalesce(h.balance_minor, 0) AS held_minor, a.currency,
            greatest(a.updated_at, h.updated_at) AS updated_at, a.version AS entries
       FROM accounts a
       LEFT JOIN accounts h ON h.owner_kind = a.owner_kind AND h.owner_id = a.owner_id AND h.purpose = 'held'
        AND h.currency = a.currency AND h.is_test = a.is_test
      WHERE a.owner_kind = $1 AND a.owner_id = $2 AND a.purpose = 'available' AND a.is_test = $3
      ORDER BY a.opened_at LIMIT 1`,
    [owner.kind, owner.id, isTest],
  )
  return rows[0] ?? null
}

/** The wallet of a merchant in one environment. */
export interface MerchantWallet {
  merchantId: string
  isTest: boolean
}

export interface AvailableFunds {
  available_minor: number
  currency: string
}

const FUNDS = `
  SELECT nth::int, available_minor, currency
    FROM unnest($1::uuid[], $2::bool[]) WITH ORDINALITY AS asked (merchant_id, is_test, nth)
   CROSS JOIN LATERAL (
     SELECT balance_minor AS available_minor, currency FROM accounts
      WHERE owner_kind = 'merchant' AND owner_id = asked.merchant_id AND purpose = 'available'
        AND is_test = asked.is_test
      ORDER BY opened_at LIMIT 1) AS found`

/**
 * What merchants can spend, in their order; null where a wallet was never opened. Every new order asks: planned for each
 * question it would take three times as long.
 */
export async function findFunds(
  reads: Reads,
  wallets: readonly MerchantWallet[],
): Promise<Array<AvailableFunds | null>> {
  const params = [wallets.map(({ merchantId }) => merchantId), wallets.map(({ isTest }) => isTest)]
  const [rows] = await reads.together('every tenant', [{ text: FUNDS, params, planned: 'once' }])
  const found = new Map((rows as Array<AvailableFunds & { nth: number }>).map(({ nth, ...funds }) => [nth, funds]))
  return wallets.map((_, index) => found.get(index + 1) ?? null)
}

/** Opens the accounts of a wallet; those that exist stay as they are. */
export async function openAccounts(tx: Tx, owner: Owner, currency: string, isTest: boolean): Promise<void> {
  await tx.sql('SELECT account_ids($1, $2, $3, $4, $5)', [
    [owner.kind, owner.kind],
    [owner.id, owner.id],
    ['available', 'held'],
    currency,
    isTest,
  ])
}

/** Locks the available account of a wallet until the transaction ends, so that no other call decides about it. */
export async function lockWallet(tx: Tx, walletId: string): Promise<void> {
  await tx.sql('SELECT FROM accounts WHERE id = $1 FOR NO KEY UPDATE', [walletId])
}

/** Which environment a reader sees: a login without one, and an operator, see live wallets. */
export const environmentOf = (scope: Scope): boolean => scope !== 'every tenant' && scope.isTest === true
