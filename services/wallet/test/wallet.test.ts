import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { systemCaller } from '@svc/grpc'
import { adminCaller, eventually, merchantCaller, riderCaller } from '@svc/testing'
import pg from 'pg'
import { expectLedgerHolds } from './ledger-invariants.ts'
import { merchantOwner, settlementOf, startWallet, type TestWallet } from './start-wallet.ts'

let wallet: TestWallet
beforeAll(async () => {
  wallet = await startWallet()
})
afterAll(async () => {
  await expectLedgerHolds(wallet.sql)
  await wallet.stop()
})

const page = { limit: 0, offset: 0 }
const live = (merchantId: string = randomUUID()) => merchantCaller({ merchantId, isTest: false })
const sandbox = (merchantId: string = randomUUID()) => merchantCaller({ merchantId })

describe('the wallet of a merchant', () => {
  test('is there from the first look, empty, and is the same at the next', async () => {
    const caller = live()
    const first = await wallet.wallet.as(caller).getWallet(page)
    expect(first).toMatchObject({
      wallet: { balance_minor: 0, available_minor: 0, held_minor: 0, currency: 'NGN' },
      ledger_transactions: [],
      total: 0,
      limit: 50,
      offset: 0,
    })
    const second = await wallet.wallet.as(caller).getWallet(page)
    expect(second.wallet).toEqual(first.wallet)
  })

  test('opened by many at once is one wallet', async () => {
    const caller = sandbox()
    const seen = await Promise.all(Array.from({ length: 12 }, () => wallet.wallet.as(caller).getWallet(page)))
    expect(new Set(seen.map((one) => one.wallet!.id)).size).toBe(1)
    expect(new Set(seen.map((one) => one.wallet!.balance_minor))).toEqual(new Set([100_000_000]))
  })

  test('a login without an environment sees the live one', async () => {
    const merchantId = randomUUID()
    await wallet.fund(merchantOwner(merchantId), 700)
    const seen = await wallet.wallet.as(merchantCaller({ merchantId, isTest: null })).getWallet(page)
    expect(seen.wallet).toMatchObject({ balance_minor: 700 })
  })

  test('every page of its statement lists each entry once, newest first, at any depth', async () => {
    const merchantId = randomUUID()
    for (let n = 1; n <= 23; n++) await wallet.fund(merchantOwner(merchantId), n)
    const caller = live(merchantId)
    const seen: number[] = []
    for (let offset = 0; offset < 30; offset += 5) {
      const statement = await wallet.wallet.as(caller).getWallet({ limit: 5, offset })
      expect(statement).toMatchObject({ total: 23, limit: 5, offset })
      seen.push(...statement.ledger_transactions.map(({ amount_minor }) => amount_minor))
    }
    expect(seen).toEqual(Array.from({ length: 23 }, (_, index) => 23 - index))
  })

  test('the ids of its entries do not change between reads and are not shared', async () => {
    const merchantId = randomUUID()
    await Promise.all([1, 2, 3].map((n) => wallet.fund(merchantOwner(merchantId), n)))
    const read = async () => {
      const statement = await wallet.wallet.as(live(merchantId)).getWallet(page)
      return statement.ledger_transactions.map(({ id }) => id)
    }
    const ids = await read()
    expect(new Set(ids).size).toBe(3)
    expect(await read()).toEqual(ids)
  })

  test.each([
    { limit: 201, offset: 0 },
    { limit: -1, offset: 0 },
    { limit: 10, offset: -1 },
  ])('a page of %p is refused', async (asked) => {
    await expect(wallet.wallet.as(live()).getWallet(asked)).rejects.toMatchObject({ code: 'validation_error' })
  })

  test('another tenant sees nothing of it', async () => {
    const merchantId = randomUUID()
    const settlement = settlementOf(merchantId, { mode: 'hold_in_escrow' })
    await wallet.fund(merchantOwner(merchantId), 9_000)
    await wallet.orders().settleCommission(settlement)
    const stranger = wallet.wallet.as(live())
    expect(await stranger.getWallet(page)).toMatchObject({ total: 0, wallet: { balance_minor: 0 } })
    const escrow = await stranger.listEscrowLedger({ ...page, order_id: settlement.order_id })
    expect(escrow).toMatchObject({ items: [], total: 0 })
    await expect(stranger.getWallet({ ...page, merchant_id: merchantId })).rejects.toMatchObject({ code: 'forbidden' })
    const rider = { ...page, rider_id: settlement.rider_id }
    await expect(stranger.getRiderWallet(rider)).rejects.toMatchObject({ code: 'forbidden' })
  })
})

describe('the sandbox wallet', () => {
  test('starts with its allowance, and never touches the live one', async () => {
    const merchantId = randomUUID()
    const seen = await wallet.wallet.as(sandbox(merchantId)).getWallet(page)
    expect(seen.wallet).toMatchObject({ balance_minor: 100_000_000 })
    expect(seen.ledger_transactions).toMatchObject([{ entry_type: 'adjustment', amount_minor: 100_000_000 }])
    expect((await wallet.wallet.as(live(merchantId)).getWallet(page)).wallet).toMatchObject({ balance_minor: 0 })
  })

  test('is set to any balance by an adjustment; setting it again adjusts nothing', async () => {
    const caller = sandbox()
    for (const balance_minor of [0, 0, 250, Number.MAX_SAFE_INTEGER, 1]) {
      const { wallet: set } = await wallet.wallet.as(caller).setTestWallet({ balance_minor })
      expect(set).toMatchObject({ balance_minor, available_minor: balance_minor, held_minor: 0 })
    }
    const statement = await wallet.wallet.as(caller).getWallet(page)
    expect(statement.ledger_transactions.map(({ direction }) => direction)).toEqual([
      'debit',
      'credit',
      'credit',
      'debit',
      'credit',
    ])
  })

  test('two that set it at once leave one of both balances', async () => {
    const caller = sandbox()
    await Promise.all(
      [300, 500, 300, 500].map((balance_minor) => wallet.wallet.as(caller).setTestWallet({ balance_minor })),
    )
    const { wallet: left } = await wallet.wallet.as(caller).getWallet(page)
    expect([300, 500]).toContain(left!.balance_minor)
  })

  test('live credentials cannot set it', async () => {
    for (const isTest of [false, null])
      await expect(
        wallet.wallet.as(merchantCaller({ isTest })).setTestWallet({ balance_minor: 1 }),
      ).rejects.toMatchObject({ code: 'test_mode_required' })
  })

  test('a negative balance is refused', async () => {
    await expect(wallet.wallet.as(sandbox()).setTestWallet({ balance_minor: -1 })).rejects.toMatchObject({
      code: 'validation_error',
      details: { field: 'balance_minor' },
    })
  })
})

describe('whether a merchant has the funds', () => {
  test('is judged by what is available, in the environment that is asked about', async () => {
    const merchantId = randomUUID()
    await wallet.fund(merchantOwner(merchantId), 10_000)
    await wallet.orders().settleCommission(settlementOf(merchantId, { amount_minor: 4_000, mode: 'hold_in_escrow' }))
    const ask = (required_minor: number) => wallet.wallet.as(live(merchantId)).checkFunds({ required_minor })
    expect(await ask(6_000)).toEqual({
      sufficient: true,
      required_minor: 6_000,
      balance_minor: 6_000,
      currency: 'NGN',
    })
    expect(await ask(6_001)).toMatchObject({ sufficient: false, balance_minor: 6_000 })
    expect(await wallet.wallet.as(sandbox(merchantId)).checkFunds({ required_minor: 100_000_000 })).toMatchObject({
      sufficient: true,
      balance_minor: 100_000_000,
    })
  })

  test('a service asks about the merchant it names, a merchant may name no other', async () => {
    const merchant_id = randomUUID()
    await wallet.fund(merchantOwner(merchant_id), 10_000)
    const asService = wallet.wallet.as(systemCaller('dispatch'))
    expect(await asService.checkFunds({ required_minor: 1, merchant_id })).toMatchObject({ balance_minor: 10_000 })
    const inSandbox = await asService.checkFunds({ required_minor: 1, merchant_id, is_test: true })
    expect(inSandbox).toMatchObject({ balance_minor: 100_000_000 })
    await expect(asService.checkFunds({ required_minor: 1 })).rejects.toMatchObject({ code: 'validation_error' })
    const stranger = await wallet.wallet.as(live()).checkFunds({ required_minor: 1, merchant_id })
    expect(stranger).toMatchObject({ balance_minor: 0, sufficient: false })
  })

  test('of many merchants comes in the order asked, each environment for itself, and to the order service alone', async () => {
    const [rich, poor, unknown] = [randomUUID(), randomUUID(), randomUUID()]
    await wallet.fund(merchantOwner(rich), 10_000)
    await wallet.fund(merchantOwner(poor), 10)
    const asked = [
      { merchant_id: unknown, is_test: false },
      { merchant_id: rich, is_test: false },
      { merchant_id: poor, is_test: true },
      { merchant_id: poor, is_test: false },
      { merchant_id: rich, is_test: false },
    ]
    const { funds } = await wallet.wallet.as(systemCaller('order')).listFunds({ wallets: asked })
    expect(funds.map(({ balance_minor }) => balance_minor)).toEqual([0, 10_000, 100_000_000, 10, 10_000])
    expect(new Set(funds.map(({ currency }) => currency))).toEqual(new Set(['NGN']))
    for (const stranger of [live(rich), adminCaller(), systemCaller('dispatch')])
      await expect(wallet.wallet.as(stranger).listFunds({ wallets: asked })).rejects.toMatchObject({
        code: 'forbidden',
      })
    const wrong = wallet.wallet.as(systemCaller('order')).listFunds({ wallets: [{ merchant_id: 'x', is_test: false }] })
    await expect(wrong).rejects.toMatchObject({ code: 'validation_error' })
  })

  test('is told of all merchants but the one whose wallet cannot be opened now', async () => {
    const [rich, blocked] = [randomUUID(), randomUUID()]
    await wallet.fund(merchantOwner(rich), 10_000)
    const asked = [blocked, rich, blocked].map((merchant_id) => ({ merchant_id, is_test: false }))
    const listed = async () => {
      const { funds } = await wallet.wallet.as(systemCaller('order')).listFunds({ wallets: asked })
      return funds.map(({ balance_minor }) => balance_minor)
    }
    const another = new pg.Client({ connectionString: wallet.database.workerUrl })
    await another.connect()
    try {
      await another.query('BEGIN')
      const accounts = [['merchant', 'merchant'], [blocked, blocked], ['available', 'held'], 'NGN', false]
      await another.query('SELECT account_ids($1, $2, $3, $4, $5)', accounts)
      expect(await listed()).toEqual([undefined, 10_000, undefined])
    } finally {
      await another.end()
    }
    await eventually(async () => expect(await listed()).toEqual([0, 10_000, 0]))
  })

  test('opened by many at once by being asked about is one wallet', async () => {
    const merchant_id = randomUUID()
    const wallets = Array.from({ length: 12 }, () => ({ merchant_id, is_test: true }))
    const { funds } = await wallet.wallet.as(systemCaller('order')).listFunds({ wallets })
    expect(new Set(funds.map(({ balance_minor }) => balance_minor))).toEqual(new Set([100_000_000]))
  })

  test('a token that a key has minted shows what its rider has only where the key may write orders', async () => {
    const read = (scopes: string[]) => {
      const mintedBy = { credential: 'key:k', scopes, riderLogsIn: true }
      return wallet.wallet.as(riderCaller(randomUUID(), { mintedBy })).getRiderWallet(page)
    }
    await expect(read(['riders:location', 'orders:read'])).rejects.toMatchObject({
      code: 'forbidden',
      details: { required: ['orders:write'] },
    })
    expect(await read(['orders:write'])).toMatchObject({ total: 0 })
  })

  test('dispatch alone learns whether a rider has ever had a live entry, and not how much', async () => {
    const rider_id = randomUUID()
    const asked = async () => wallet.wallet.as(systemCaller('dispatch')).checkRiderLedger({ rider_id })
    expect(await asked()).toEqual({ has_entries: false })
    await wallet.wallet.as(riderCaller(rider_id)).getRiderWallet(page)
    expect(await asked()).toEqual({ has_entries: false })
    await wallet.fund({ kind: 'rider', id: rider_id }, 1)
    await wallet.fund({ kind: 'rider', id: rider_id }, -1)
    expect(await asked()).toEqual({ has_entries: true })
    for (const stranger of [riderCaller(rider_id), live(), adminCaller(), systemCaller('order')])
      await expect(wallet.wallet.as(stranger).checkRiderLedger({ rider_id })).rejects.toMatchObject({
        code: 'forbidden',
      })
  })

  test('an amount below zero is refused', async () => {
    await expect(wallet.wallet.as(live()).checkFunds({ required_minor: -1 })).rejects.toMatchObject({
      code: 'validation_error',
    })
  })
})

describe('operators', () => {
  test('read the live ledger of a merchant that exists, once its fact has come', async () => {
    const merchant_id = randomUUID()
    await wallet.announceMerchant(merchant_id)
    const operator = wallet.wallet.as(adminCaller())
    const seen = await eventually(() => operator.getWallet({ ...page, merchant_id }))
    expect(seen.wallet).toMatchObject({ balance_minor: 0 })
    const [sandboxed] = await wallet.sql('SELECT FROM accounts WHERE owner_id = $1 AND is_test', [merchant_id])
    expect(sandboxed).toBeDefined()
    const unknown = { ...page, merchant_id: randomUUID() }
    await expect(operator.getWallet(unknown)).rejects.toMatchObject({ code: 'not_found' })
  })

  test('without the permission they read nothing', async () => {
    const operator = wallet.wallet.as(adminCaller({ permissions: ['admin.merchants.read'] }))
    const merchant_id = randomUUID()
    await expect(operator.getWallet({ ...page, merchant_id })).rejects.toMatchObject({ code: 'forbidden' })
    const rider_id = merchant_id
    await expect(operator.getRiderWallet({ ...page, rider_id })).rejects.toMatchObject({ code: 'forbidden' })
  })

  test('read the ledger of a rider who has earned something', async () => {
    const merchantId = randomUUID()
    const settlement = settlementOf(merchantId)
    await wallet.fund(merchantOwner(merchantId), 9_000)
    await wallet.orders().settleCommission(settlement)
    const operator = wallet.wallet.as(adminCaller())
    const seen = await operator.getRiderWallet({ ...page, rider_id: settlement.rider_id })
    expect(seen).toMatchObject({ wallet: { balance_minor: 5_000 }, total: 1 })
    const unknown = { ...page, rider_id: randomUUID() }
    await expect(operator.getRiderWallet(unknown)).rejects.toMatchObject({ code: 'not_found' })
  })
})

test('a rider reads the own wallet only; the sandbox rider’s is apart', async () => {
  const riderId = randomUUID()
  await wallet.fund({ kind: 'rider', id: riderId }, 4_000)
  expect(await wallet.wallet.as(riderCaller(riderId)).getRiderWallet(page)).toMatchObject({
    wallet: { balance_minor: 4_000 },
    total: 1,
  })
  const inSandbox = await wallet.wallet.as(riderCaller(riderId, { isTest: true })).getRiderWallet(page)
  expect(inSandbox).toMatchObject({ wallet: { balance_minor: 0 }, total: 0 })
  await expect(wallet.wallet.as(live()).getRiderWallet(page)).rejects.toMatchObject({ code: 'forbidden' })
  await expect(wallet.wallet.as(riderCaller(riderId)).getWallet(page)).rejects.toMatchObject({ code: 'forbidden' })
})
