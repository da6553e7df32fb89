import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { tenantWall } from '@svc/testing'
import pg from 'pg'
import { migrations } from '../src/db/migrations/index.ts'
import { merchantOwner, settlementOf, startWallet, type TestWallet } from './start-wallet.ts'

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

async function merchantThatPaid(): Promise<string> {
  const merchantId = randomUUID()
  await wallet.fund(merchantOwner(merchantId), 100_000)
  await wallet.orders().settleCommission(settlementOf(merchantId))
  return merchantId
}

describe('the second wall', () => {
  test('a tenant reaches its own rows, and no table that is not for tenants', async () => {
    expect(await tenantWall('wallet', migrations)).toEqual([])
  })

  test('a tenant sees nothing of the riders it paid', async () => {
    const ours = await merchantThatPaid()
    const { rows } = await as(ours, () => app.query('SELECT DISTINCT owner_kind::text FROM accounts'))
    expect(rows).toEqual([{ owner_kind: 'merchant' }])
    const credits = await as(ours, () => app.query(`SELECT FROM ledger_lines WHERE entry_type = 'commission_credit'`))
    expect(credits.rowCount).toBe(0)
  })

  test('the role that serves tenants cannot post', async () => {
    const merchantId = await merchantThatPaid()
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
