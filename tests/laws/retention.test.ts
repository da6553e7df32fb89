import { describe, expect, test } from '@jest/globals'
import { type File, files } from './tree.ts'

/**
 * Where the rows of a table end. `swept`: by an `Expiry`, whose age an index serves. `with`: in the statement that removes
 * those of another table, or by its cascade. `in`: by that file. Else why it stays as small as it is, or is kept for good.
 */
type End = 'swept' | { with: string } | { in: string } | { because: string }

const RECORD_OF_MONEY = { because: 'what was done with money is kept for good' } as const
const ONE_PER_MERCHANT = { because: 'one row per merchant and purpose' } as const
const FEW = { because: 'operators make few' } as const

const ENDS: Readonly<Record<string, Readonly<Record<string, End>>>> = {
  'libs/database': { app_clock: { because: 'one row, of tests' } },
  'libs/service': { merchants_learned: { because: 'one row' } },
  'libs/transact': {
    outbox: 'swept',
    inbox: 'swept',
    parked: 'swept',
    idempotency: 'swept',
    intent: 'swept',
    shard_lease: { because: 'one row per shard' },
  },
  'services/admin': {
    merchants: { because: 'one row per merchant' },
    users: ONE_PER_MERCHANT,
    api_keys: 'swept',
    sessions: 'swept',
    rider_credentials: { because: 'one row per rider' },
    rider_revocations: 'swept',
    login_failures: 'swept',
    login_networks: 'swept',
    account_tokens: 'swept',
    sign_on_attempts: 'swept',
    sign_on_subjects: { because: 'one row per account and identity provider' },
    operators: FEW,
    custom_roles: FEW,
    operator_makers: FEW,
    contact_inquiries: 'swept',
    kyb_submissions: ONE_PER_MERCHANT,
    kyb_documents: { in: 'services/admin/src/db/kyb-documents.ts' },
    workspace_grants: { because: 'one row per pair of merchants, at most 1,000 of a grantor' },
    audit_log: { because: 'the chain of what was done is never cut' },
  },
  'services/dispatch': {
    merchants: ONE_PER_MERCHANT,
    riders: { because: 'one row per phone' },
    invite_codes: 'swept',
    otps: 'swept',
    otp_send_log: 'swept',
    sos_alerts: 'swept',
    dispatch_zones: { because: 'at most 1,000 per merchant, replaced as a whole' },
    platform_geofences: { because: 'at most 1,000, replaced as a whole' },
    dispatch_schedules: ONE_PER_MERCHANT,
    rate_cards: FEW,
    quotes: 'swept',
    sandbox_advances: 'swept',
    rider_positions: { because: 'one row per rider' },
    rider_location_log: { in: 'services/dispatch/src/db/functions/rider-location-log-keep.sql.ts' },
    dispatch_jobs: 'swept',
    dispatch_offers: { with: 'dispatch_jobs' },
    dispatch_rounds: { with: 'dispatch_jobs' },
    rider_active: { with: 'dispatch_jobs' },
    rider_cash: { because: 'one row per rider, merchant and currency' },
    completed_legs: 'swept',
    pod_photos: { in: 'services/dispatch/src/db/pod-photos.ts' },
    code_numbers: 'swept',
    login_codes: 'swept',
    login_networks: 'swept',
    code_merchants: 'swept',
  },
  'services/ingestion': {
    inbound_hooks: { in: 'services/ingestion/src/db/hooks.ts' },
    normalization_jobs: { with: 'inbound_hooks' },
    attachment_ocr_jobs: { with: 'inbound_hooks' },
    inbound_mails: { with: 'inbound_hooks' },
    merchants: ONE_PER_MERCHANT,
    channel_settings: ONE_PER_MERCHANT,
    cloud_connections: ONE_PER_MERCHANT,
    cloud_signups: 'swept',
    conversations: 'swept',
    welcomed_senders: 'swept',
  },
  'services/order': {
    // Test orders end; live ones are what their merchant did, and are kept.
    orders: { in: 'services/order/src/db/orders.ts' },
    sim_timer: { with: 'orders' },
    order_ops: { with: 'orders' },
    carried_told: { because: 'one row' },
    sandbox_usage: ONE_PER_MERCHANT,
    sandbox_clock: ONE_PER_MERCHANT,
    shipments: { in: 'services/order/src/db/shipment-purge.ts' },
    shipment_rows: 'swept',
    address_pins: 'swept',
    late_changes: 'swept',
  },
  'services/wallet': {
    accounts: { because: 'one row per owner and purpose' },
    cash_accounts: { because: 'one row per rider and merchant, and what the rider owes' },
    cash_remittances: RECORD_OF_MONEY,
    cash_adjustments: RECORD_OF_MONEY,
    wallet_ops: RECORD_OF_MONEY,
    ledger_lines: RECORD_OF_MONEY,
    holds: RECORD_OF_MONEY,
    hold_captures: RECORD_OF_MONEY,
    hold_parts: RECORD_OF_MONEY,
    carried_orders: 'swept',
    topup_intents: RECORD_OF_MONEY,
    waiting_hooks: { in: 'services/wallet/src/db/waiting-hooks.ts' },
    subscription_intents: RECORD_OF_MONEY,
    subscriptions: RECORD_OF_MONEY,
    payment_customers: RECORD_OF_MONEY,
    billing_standings: ONE_PER_MERCHANT,
    billed_deliveries: RECORD_OF_MONEY,
    merchants: ONE_PER_MERCHANT,
    commission_settings: ONE_PER_MERCHANT,
    payout_instruments: RECORD_OF_MONEY,
    withdrawals: RECORD_OF_MONEY,
    withdrawal_approvals: RECORD_OF_MONEY,
  },
  'services/webhook': {
    endpoint: ONE_PER_MERCHANT,
    merchant: ONE_PER_MERCHANT,
    order_stream: 'swept',
    held_fact: { in: 'services/webhook/src/db/functions/append-events.sql.ts' },
    event_cursor: ONE_PER_MERCHANT,
    event_log: 'swept',
    delivery: 'swept',
    queued_delivery: { in: 'services/webhook/src/db/expire.ts' },
    attempt: { with: 'delivery' },
    lane: ONE_PER_MERCHANT,
    alert: ONE_PER_MERCHANT,
    sandbox_advance: { in: 'services/webhook/src/db/sandbox-clock.ts' },
    late_changes: 'swept',
    webhook_fault: { because: 'at most 50 per merchant, replaced as a whole' },
  },
}

const SOURCES = ['{services,libs}/*/src/**/*.ts'] as const
const ownerOf = ({ path }: File): string => path.split('/').slice(0, 2).join('/')
const isMigration = ({ path }: File): boolean => /\/db\/migrations\/|-sql\.ts$|expiry-indexes/.test(path)

/** The tables that the sources make, without those that a migration has dropped since, by owner. */
function tablesOf(tree: readonly File[]): Map<string, Set<string>> {
  const tables = new Map<string, Set<string>>()
  const made = tree.filter(({ path }) => !path.endsWith('.test.ts'))
  for (const file of made) {
    for (const [, table = ''] of file.text.matchAll(/CREATE (?:UNLOGGED )?TABLE (?:IF NOT EXISTS )?([a-z_]+)\s*\(/g)) {
      const owner = ownerOf(file)
      tables.set(owner, (tables.get(owner) ?? new Set()).add(table))
    }
  }
  for (const file of made)
    for (const [, table = ''] of file.text.matchAll(/DROP TABLE (?:IF EXISTS )?([a-z_]+)/g))
      tables.get(ownerOf(file))?.delete(table)
  return tables
}

/** What is wrong with the end that the list names for a table; null: nothing. */
function faultOf(table: string, end: End, owner: string, tree: readonly File[]): string | null {
  const own = tree.filter((file) => ownerOf(file) === owner)
  // The tables of every service are swept where the machinery runs.
  const sweeping = owner === 'libs/transact' ? tree.filter((file) => ownerOf(file) === 'libs/facts') : own
  if (end === 'swept') {
    const expiry = new RegExp(`table: '${table}',\\s*age: '(\\w+)'`)
    const ages = sweeping.flatMap(({ text }) => [...text.matchAll(new RegExp(expiry, 'g'))].map(([, age]) => age))
    if (ages.length === 0) return 'no Expiry names it'
    const isIndexed = (age: string | undefined) =>
      own.some((file) => isMigration(file) && new RegExp(`\\b${table} (?:USING \\w+ )?\\(${age}\\b`).test(file.text))
    return ages.every(isIndexed) ? null : 'no index begins with its age'
  }
  if ('with' in end) {
    const cascades = new RegExp(`CREATE TABLE ${table} \\([^;]*REFERENCES ${end.with} ON DELETE CASCADE`)
    const isRemoved = own.some(({ text }) => cascades.test(text) || text.includes(`DELETE FROM ${table} `))
    const isListed = own.some(({ text }) => text.includes(`'${table}'`) && text.includes('DELETE FROM ${table} '))
    return isRemoved || isListed ? null : `nothing removes it with ${end.with}`
  }
  if ('in' in end) {
    const file = tree.find(({ path }) => path === end.in)
    const removes = new RegExp(`DELETE FROM ${table}\\b|DROP TABLE`)
    return file && removes.test(file.text) ? null : `${end.in} removes nothing of it`
  }
  return null
}

describe('every table', () => {
  test('has an end that something sees to, or a reason why it needs none', async () => {
    const tree = await files(...SOURCES)
    const tables = tablesOf(tree)
    const listed = Object.entries(ENDS).flatMap(([owner, ends]) =>
      Object.keys(ends).map((table) => `${owner}: ${table}`),
    )
    const made = [...tables].flatMap(([owner, names]) => [...names].map((table) => `${owner}: ${table}`))
    expect(listed.toSorted()).toEqual(made.toSorted())
    const faults = Object.entries(ENDS).flatMap(([owner, ends]) =>
      Object.entries(ends).flatMap(([table, end]) => {
        const fault = faultOf(table, end, owner, tree)
        return fault === null ? [] : [`${owner}: ${table}: ${fault}`]
      }),
    )
    expect(faults).toEqual([])
  })

  test('without an end is found: one that is not swept, and one whose age no index serves', () => {
    const file = (path: string, text: string): File => ({ path, text })
    const schema = file('services/x/src/db/migrations/1-schema.ts', 'CREATE TABLE t (\n at timestamptz);')
    const expiry = file('services/x/src/db/forget.ts', "{ table: 't', age: 'at', keep }")
    const index = file('services/x/src/db/migrations/2-index.ts', "on: 't (at)'")
    expect(faultOf('t', 'swept', 'services/x', [schema])).toBe('no Expiry names it')
    expect(faultOf('t', 'swept', 'services/x', [schema, expiry])).toBe('no index begins with its age')
    expect(faultOf('t', 'swept', 'services/x', [schema, expiry, index])).toBeNull()
  })
})
