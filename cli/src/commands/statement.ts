import type { LedgerEntry } from '@delivery-dispatch/sdk'
import type { Command } from '../command.ts'
import { count } from '../input.ts'

const PAGE = 200

export const statement: Command = {
  usage: 'statement',
  summary: 'Show the wallet, and what went into and out of it, newest first',
  options: { limit: { type: 'string', short: 'n', value: 'N', text: 'How many entries; 20 unless given' } },
  async run({ output, dispatch }, _, values) {
    const limit = count('limit', values['limit'], 10_000) ?? 20
    const pages = dispatch().getWallet({ limit: Math.min(limit, PAGE) })
    const { wallet, total } = await pages
    const entries: LedgerEntry[] = []
    for await (const entry of pages) if (entries.push(entry) >= limit) break
    const held = money(wallet.held_minor, wallet.currency)
    output.show(
      { wallet, ledger_transactions: entries, total },
      `${output.paint('bold', money(wallet.available_minor, wallet.currency))} to spend, ${held} put aside.`,
      ...(entries.length === 0 ? ['No entry.'] : ['', ...output.table(entries.map(columns))]),
    )
  },
}

const columns = (entry: LedgerEntry): string[] => [
  entry.created_at,
  entry.entry_type,
  `${entry.direction === 'debit' ? '-' : '+'}${money(entry.amount_minor, entry.currency)}`,
  money(entry.balance_after_minor, entry.currency),
  entry.order_id ?? entry.reference ?? '-',
]

/** Minor units as people write them: `NGN 1,234.50`. */
function money(minor: number, currency: string): string {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency, currencyDisplay: 'code' })
  return format.format(minor / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2)).replace('\u00a0', ' ')
}
