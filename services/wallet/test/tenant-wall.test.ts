import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import pg from 'pg'
import { insertTopup } from '../src/db/topups.ts'
import { merchantOwner, settlementOf, startWallet, type TestWallet } from './start-wallet.ts'

const TENANT_TABLES = [
  'accounts',
  'wallet_ops',
  'ledger_lines',
  'holds',
  'topup_intents',
  'subscriptions',
  'billed_deliveries',
  'payout_instruments',
  'withdrawals',
]
const WORKER_TABLES = [
  'hold_captures',
  'merchants',
  'commission_settings',
  'waiting_hooks',
  'subscription_intents',
  'payment_customers',
  'billing_standings',
  'withdrawal_approvals',
]

let wallet: TestWallet
let app: pg.Client
beforeAll(async () => {
  wallet = await startWallet()
  app = new pg.Client({ connectionString: wallet.database.url })
  await app.connect()
})
afterAll(async () => {
  await app.end()
  await wallet.stop()
})

async function as<T>(merchantId: string, work: () => Promise<T>): Promise<T> {
  await app.query('BEGIN')
  await app.query("SELECT set_config('app.tenant_id', $1, true)", [merchantId])
  try {
    return await work()
  } finally {
    await app.query('ROLLBACK')
  }
}

async function merchantWithEscrow(): Promise<string> {
  const merchantId = randomUUID()
  await wallet.fund(merchantOwner(merchantId), 100_000)
  await wallet.orders().settleCommission(settlementOf(merchantId))
  await wallet.orders().settleCommission(settlementOf(merchantId, { mode: 'hold_in_escrow' }))
  await wallet.sql('INSERT INTO subscriptions (subscription_code, merchant_id) VALUES ($1, $2)', [
    `SUB_${merchantId}`,
    merchantId,
  ])
  const topup = { reference: `tu-${randomUUID()}`, merchantId, amountMinor: 1, currency: 'NGN', verifyAfterMs: 0 }
  await wallet.context.transact({ merchantId, isTest: false }, (tx) =>
    insertTopup(tx, { ...topup, callbackUrl: undefined, idempotencyKey: undefined }),
  )
  await wallet.sql('INSERT INTO billed_deliveries VALUES ($1, $2, now())', [randomUUID(), merchantId])
  const [instrument] = await wallet.sql<{ id: string }>(
    `INSERT INTO payout_instruments (owner_kind, owner_id, bank_code, account_name, account_last4, recipient_code, is_default)
     VALUES ('merchant', $1, '058', 'ADA OBI', '6789', 'RCP_0', true) RETURNING id`,
    [merchantId],
  )
  await wallet.sql(
    `INSERT INTO withdrawals (id, owner_kind, owner_id, payout_instrument_id, amount_minor, currency, status)
     VALUES (gen_random_uuid(), 'merchant', $1, $2, 1, 'NGN', 'cancelled')`,
    [merchantId, instrument!.id],
  )
  return merchantId
}

describe('the second wall', () => {
  test.each(TENANT_TABLES)('a query of %s without a tenant fails', async (table) => {
    await merchantWithEscrow()
    await expect(app.query(`SELECT count(*) FROM ${table}`)).rejects.toThrow(
      /app\.tenant_id|invalid input syntax for type uuid/,
    )
  })

  test('a tenant sees its own rows only, and nothing of the riders it paid', async () => {
    const [ours] = [await merchantWithEscrow(), await merchantWithEscrow()]
    for (const table of TENANT_TABLES) {
      const { rows } = await as(ours, () => app.query(`SELECT DISTINCT merchant_id AS id FROM ${table}`))
      expect(rows).toEqual([{ id: ours }])
    }
    const { rows } = await as(ours, () => app.query('SELECT DISTINCT owner_kind::text FROM accounts'))
    expect(rows).toEqual([{ owner_kind: 'merchant' }])
    const credits = await as(ours, () => app.query(`SELECT FROM ledger_lines WHERE entry_type = 'commission_credit'`))
    expect(credits.rowCount).toBe(0)
  })

  test.each(WORKER_TABLES)('%s is out of reach of whoever serves tenants', async (table) => {
    await expect(as(randomUUID(), () => app.query(`SELECT count(*) FROM ${table}`))).rejects.toThrow(
      /permission denied/,
    )
  })

  test('whoever serves tenants cannot post', async () => {
    const merchantId = await merchantWithEscrow()
    const post = as(merchantId, () =>
      app.query(
        `SELECT post_operation('theft', '', 'topup', 'x', $1, false, 'NGN', NULL, '{}', NULL, '{provider,merchant}',
           ARRAY[$2::uuid, $1], '{available,available}', '{topup,topup}', '{-1,1}', NULL, NULL, NULL, NULL)`,
        [merchantId, randomUUID()],
      ),
    )
    await expect(post).rejects.toMatchObject({ code: '42501' })
  })
})
