import { foundationSql, recorderTableSql, SqlMigration, tenantTableSql } from '@svc/database'
import { outboxSql } from '@svc/transact'
import { billingSql } from './billing-sql.ts'
import { ledgerSql } from './ledger-sql.ts'
import { merchantsSql } from './merchants-sql.ts'
import { topupsSql } from './topups-sql.ts'
import { withdrawalsSql } from './withdrawals-sql.ts'

const service = 'wallet'

const TENANT_READS = [
  'accounts',
  'wallet_ops',
  'ledger_lines',
  'holds',
  'payout_instruments',
  'withdrawals',
  'subscriptions',
  'billed_deliveries',
]

/** Of workers alone, and what they may do there. */
const WORKERS: Readonly<Record<string, string>> = {
  hold_captures: 'SELECT, INSERT',
  merchants: 'SELECT, INSERT, UPDATE, DELETE',
  commission_settings: 'SELECT, INSERT, UPDATE, DELETE',
  waiting_hooks: 'SELECT, INSERT, UPDATE, DELETE',
  withdrawal_approvals: 'SELECT, INSERT',
  subscription_intents: 'SELECT, INSERT, UPDATE',
  payment_customers: 'SELECT, INSERT, UPDATE',
  billing_standings: 'SELECT, INSERT, UPDATE',
}

/** What the worker may write beyond reading: nothing that rewrites the past. */
const WRITABLE: Readonly<Record<string, string>> = {
  accounts: 'INSERT, UPDATE (balance_minor, version, updated_at)',
  holds: 'INSERT, UPDATE (captured_minor, released_minor, state)',
  wallet_ops: 'INSERT',
  ledger_lines: 'INSERT',
  topup_intents: 'UPDATE (state, provider_status, verify_at, credited_at)',
  payout_instruments: 'INSERT, UPDATE (is_default, frozen_until)',
  withdrawals: `INSERT, UPDATE (status, attempt, provider_reference, approvals, reviewed_by, reviewed_at, submitted_at,
    verify_at, paid_at, failure_reason, version)`,
  subscriptions: 'INSERT, UPDATE',
  billed_deliveries: 'INSERT',
}

/** Money and what it depends on. It moves only by the functions beside, which come after this. */
export class Schema extends SqlMigration {
  override up(): void {
    this.addSql(foundationSql)
    this.addSql(outboxSql(service))
    for (const sql of [ledgerSql, merchantsSql, topupsSql, withdrawalsSql, billingSql]) this.addSql(sql)
    for (const table of TENANT_READS) this.addSql(tenantTableSql({ service, table, appGrants: 'SELECT' }))
    const appGrants = 'SELECT, INSERT, UPDATE (state, authorization_url, access_code, idempotency_key, verify_at)'
    this.addSql(tenantTableSql({ service, table: 'topup_intents', appGrants }))
    for (const [table, workerGrants] of Object.entries(WORKERS))
      this.addSql(recorderTableSql({ service, table, workerGrants }))
    for (const [table, grants] of Object.entries(WRITABLE)) {
      this.addSql(`REVOKE INSERT, UPDATE, DELETE ON ${table} FROM ${service}_worker`)
      this.addSql(`GRANT ${grants} ON ${table} TO ${service}_worker`)
    }
  }
}
