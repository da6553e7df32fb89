import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { CashServiceService } from '@svc/contracts/wallet/v1/cash_service'
import { SettledTotals, Totals } from '@svc/database'
import { systemCaller } from '@svc/grpc'
import { explaining, testClient, vacuum } from '@svc/testing'
import type { Tx } from '@svc/transact'
import { cashAccountIdsOf, listCashEntries } from '../src/db/cash-statement.ts'
import { startWallet, type TestWallet } from './start-wallet.ts'

let wallet: TestWallet
let client: ReturnType<typeof testClient<typeof CashServiceService>>
beforeAll(async () => {
  wallet = await startWallet()
  client = testClient(CashServiceService, { address: wallet.service.address(), to: 'wallet' })
})
afterAll(async () => {
  client.close()
  await wallet.stop()
})

const OTHERS = 20_000

const sql = (async (text: string, values: unknown[] = []) => ({
  rows: await wallet.sql<object>(text, values),
})) as unknown as Tx['sql']

test('a page of one rider’s cash reads that page, however many lines the merchant has', async () => {
  const merchantId = randomUUID()
  const riderId = randomUUID()
  const collect = async (rider_id: string) => {
    const order_id = randomUUID()
    const request = { op_key: `cash:${order_id}`, order_id, merchant_id: merchantId, rider_id, is_test: false }
    await client.as(systemCaller('order')).collectCash({ ...request, amount_minor: 100 })
  }
  for (let n = 0; n < 20; n++) await collect(riderId)
  const other = randomUUID()
  await collect(other)
  const filter = { merchantId, isTest: false }
  const [of] = await cashAccountIdsOf(sql, { ...filter, riderId: other })
  await wallet.sql(
    `WITH op AS (
       INSERT INTO wallet_ops (op_key, request_hash, kind, subject_id, merchant_id, is_test, outcome, about, created_at)
       SELECT 'other:' || n, '', 'cash_collected', 'other:' || n, $1, false, 'applied', json_build_object('rider_id', $2::text), now()
         FROM generate_series(1, ${OTHERS}) n RETURNING op_key)
     INSERT INTO ledger_lines (op_key, line_no, account_id, merchant_id, is_test, currency, entry_type, amount_minor, account_version, created_at)
     SELECT op_key, side, CASE side WHEN 1 THEN gen_random_uuid() ELSE $3::uuid END, $1, false, 'NGN', 'cash_collected',
            CASE side WHEN 1 THEN -1 ELSE 1 END, CASE side WHEN 2 THEN 1000 + row_number() OVER () END, now()
       FROM op CROSS JOIN generate_series(1, 2) side`,
    [merchantId, other, of],
  )
  await vacuum(wallet.database.ownerUrl, 'ledger_lines', 'wallet_ops')

  const { query, carriedOut } = explaining(wallet.context.database.worker)
  const page = { limit: 10, offset: 5 }
  const of20 = await cashAccountIdsOf(sql, { ...filter, riderId })
  const sources = { sql: query, totals: new Totals(), settledTotals: new SettledTotals() }
  const { items, total } = await listCashEntries(sources, filter, page, of20)
  expect([total, items.length, new Set(items.map((item) => item.riderId))]).toEqual([20, 10, new Set([riderId])])
  const all = await listCashEntries(sources, filter, page, null)
  expect([all.total, all.items.length]).toEqual([OTHERS + 21, 10])
  // What is counted of all has no end but its limit; the pages, and what is counted of one rider, do.
  const [counted, paged, , pagedOfAll] = carriedOut
  expect([counted, paged, pagedOfAll].filter((one) => one!.blocks >= 150)).toEqual([])
})
