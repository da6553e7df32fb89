import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { CashServiceService } from '@svc/contracts/wallet/v1/cash_service'
import { systemCaller } from '@svc/grpc'
import { adminCaller, merchantCaller, riderCaller, testClient } from '@svc/testing'
import { expectLedgerHolds } from './ledger-invariants.ts'
import { startWallet, type TestWallet } from './start-wallet.ts'

/** All test orders share one rider. */
const SANDBOX_RIDER_ID = randomUUID()

let wallet: TestWallet
let client: ReturnType<typeof testClient<typeof CashServiceService>>
beforeAll(async () => {
  wallet = await startWallet({ FOUR_EYES_ABOVE_MINOR: '50000' })
  client = testClient(CashServiceService, { address: wallet.service.address(), to: 'wallet' })
})
afterAll(async () => {
  await expectLedgerHolds(wallet.sql)
  client.close()
  await wallet.stop()
})

const operator = () => adminCaller({ permissions: ['admin.ledger.read', 'admin.withdrawals.write'] })
const page = { limit: 0, offset: 0 }

/** A rider who has so much of a merchant's cash in hand. */
async function holding(amountMinor: number, isTest = false) {
  const merchant = merchantCaller({ isTest })
  const merchant_id = merchant.merchantId as string
  const rider_id = isTest ? SANDBOX_RIDER_ID : randomUUID()
  const rider = riderCaller(rider_id, isTest ? { isTest, merchantId: merchant_id } : {})
  const collect = (amount_minor: number, more: { order_id?: string; currency?: string } = {}) => {
    const order_id = more.order_id ?? randomUUID()
    const request = { op_key: `cash:${order_id}`, order_id, merchant_id, rider_id, is_test: isTest, amount_minor }
    return client.as(systemCaller('order')).collectCash({ ...request, ...more })
  }
  if (amountMinor > 0) await collect(amountMinor)
  const accounts = async () => (await client.as(rider).getRiderCash(page)).items
  const inHand = async () => (await accounts())[0]?.in_hand_minor
  return { merchant, merchant_id, rider, rider_id, collect, accounts, inHand }
}

describe('cash that riders collect', () => {
  test('is booked once per order, whoever asks again and under whatever key', async () => {
    const { collect, inHand } = await holding(0)
    const order_id = randomUUID()
    const outcomes = await Promise.all([1, 2, 3].map(() => collect(700, { order_id })))
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(['applied', 'applied', 'applied'])
    expect(await inHand()).toBe(700)
    await expect(collect(900, { order_id })).rejects.toMatchObject({ code: 'idempotency_conflict' })
    expect(await inHand()).toBe(700)
  })

  test('lies apart by merchant, currency and environment, and no sum becomes more than a number can be', async () => {
    const { collect, accounts, rider } = await holding(100)
    await collect(50, { currency: 'GHS' })
    expect((await accounts()).map(({ currency, in_hand_minor }) => [currency, in_hand_minor])).toEqual([
      ['NGN', 100],
      ['GHS', 50],
    ])
    expect(await collect(Number.MAX_SAFE_INTEGER)).toEqual({ outcome: 'declined' })
    const unbound = riderCaller(rider.actor.id, { isTest: true })
    expect((await client.as(unbound).getRiderCash(page)).items).toEqual([])
  })

  test('is booked by the order service alone', async () => {
    const { merchant, merchant_id, rider, rider_id } = await holding(0)
    const request = { op_key: 'x', order_id: randomUUID(), merchant_id, rider_id, is_test: false, amount_minor: 5 }
    for (const by of [merchant, rider, operator(), systemCaller('dispatch')])
      await expect(client.as(by).collectCash(request)).rejects.toMatchObject({ code: 'forbidden' })
  })
})
