import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { AuditRecorded } from '@svc/contracts/common/v1/audit'
import { PayoutInstrumentFact } from '@svc/contracts/wallet/v1/payout'
import { systemCaller } from '@svc/grpc'
import { adminCaller, eventually, merchantCaller, riderCaller } from '@svc/testing'
import { byOf } from './by-of.ts'
import { liveMerchant, newAccount, operator, rider, startPayouts, type TestPayouts } from './start-payouts.ts'
import { startWallet } from './start-wallet.ts'

let payouts: TestPayouts
beforeAll(async () => {
  payouts = await startPayouts()
})
afterAll(() => payouts.stop())

const HOUR_MS = 3_600_000

describe('a payout instrument', () => {
  test('is a recipient at the provider; here nobody finds the account number', async () => {
    const caller = liveMerchant()
    const account = newAccount()
    const { payout_instrument: created } = await payouts.as(caller).createPayoutInstrument(account)
    expect(created).toMatchObject({
      bank_code: '058',
      bank_name: 'Guaranty Trust Bank',
      account_last4: account.account_number.slice(-4),
      is_default: true,
      frozen_until: undefined,
    })
    expect(created!.account_name).not.toBe('')
    const [dump] = await payouts.sql<{ all: string }>(
      `SELECT (SELECT string_agg(i::text, '') FROM payout_instruments i) || (SELECT string_agg(encode(payload, 'escape'), '') FROM outbox) AS all`,
    )
    expect(dump!.all).toContain(account.account_number.slice(-4))
    expect(dump!.all).not.toContain(account.account_number)
    expect((await payouts.as(caller).listPayoutInstruments({})).items).toEqual([created])
  })

  test('keeps the name that its owner gives it, and is the default when asked; lists are newest first', async () => {
    const caller = liveMerchant()
    const mine = payouts.as(caller)
    const { payout_instrument: first } = await mine.createPayoutInstrument(newAccount())
    const { payout_instrument: second } = await mine.createPayoutInstrument({ ...newAccount(), account_name: 'Ada' })
    expect(second).toMatchObject({ account_name: 'Ada', is_default: false })
    const { payout_instrument: third } = await mine.createPayoutInstrument({ ...newAccount(), is_default: true })
    const { items } = await mine.listPayoutInstruments({})
    expect(items.map(({ id, is_default }) => [id, is_default])).toEqual([
      [third!.id, true],
      [second!.id, false],
      [first!.id, false],
    ])
  })

  test('registered by many at once leaves one default', async () => {
    const mine = payouts.as(liveMerchant())
    await Promise.all(
      Array.from({ length: 8 }, () => mine.createPayoutInstrument({ ...newAccount(), is_default: true })),
    )
    const { items } = await mine.listPayoutInstruments({})
    expect(items).toHaveLength(8)
    expect(items.filter(({ is_default }) => is_default)).toHaveLength(1)
  })

  test.each([
    ['bank_code', { bank_code: '05' }],
    ['bank_code', { bank_code: '058; DROP' }],
    ['account_number', { account_number: '123456789' }],
    ['account_number', { account_number: '12345678901' }],
    ['account_number', { account_number: '12345abcde' }],
    ['account_number', { account_number: '0000000000' }],
    ['account_number', { account_number: '0000000000', account_name: 'Ada' }],
    ['account_name', { account_name: ' ' }],
    ['account_name', { account_name: 'x'.repeat(101) }],
  ])('is refused for its %s: %p', async (field, fault) => {
    const refused = payouts.as(liveMerchant()).createPayoutInstrument({ ...newAccount(), ...fault })
    await expect(refused).rejects.toMatchObject({ code: 'validation_error', details: { field } })
  })

  test('is registered once, and an owner has ten at most', async () => {
    const mine = payouts.as(liveMerchant())
    const account = newAccount()
    await mine.createPayoutInstrument(account)
    await expect(mine.createPayoutInstrument(account)).rejects.toMatchObject({ code: 'already_exists' })
    for (let n = 1; n < 10; n++) await mine.createPayoutInstrument(newAccount())
    await expect(mine.createPayoutInstrument(newAccount())).rejects.toMatchObject({ code: 'limit_reached' })
    expect((await mine.listPayoutInstruments({})).items).toHaveLength(10)
  })

  test('that was registered at the provider before we died is registered by the repeat', async () => {
    const mine = payouts.as(liveMerchant())
    const account = newAccount()
    payouts.dieAt('payout_instrument.registered')
    await expect(mine.createPayoutInstrument(account)).rejects.toMatchObject({ code: 'internal_error' })
    expect((await mine.listPayoutInstruments({})).items).toEqual([])
    await mine.createPayoutInstrument(account)
    expect((await mine.listPayoutInstruments({})).items).toHaveLength(1)
  })

  test('is not registered while the provider does not answer', async () => {
    const mine = payouts.as(liveMerchant())
    await payouts.fault({ mode: 'html_500', match: { method: 'POST', path: '/transferrecipient' } })
    await expect(mine.createPayoutInstrument(newAccount())).rejects.toMatchObject({ code: 'service_unavailable' })
    expect((await mine.listPayoutInstruments({})).items).toEqual([])
  })
})

describe('a rider’s withdrawals', () => {
  test('are frozen for a day from each change, counted by the database', async () => {
    const mine = payouts.as(rider())
    const before = Date.now()
    const { payout_instrument: first } = await mine.createPayoutInstrument(newAccount())
    const frozenMs = Date.parse(first!.frozen_until!)
    expect(frozenMs).toBeGreaterThanOrEqual(before + 24 * HOUR_MS - 1_000)
    expect(frozenMs).toBeLessThanOrEqual(Date.now() + 24 * HOUR_MS + 1_000)
    await payouts.sql(`UPDATE payout_instruments SET frozen_until = app_now() - interval '1 hour' WHERE id = $1`, [
      first!.id,
    ])
    const { payout_instrument: second } = await mine.createPayoutInstrument({ ...newAccount(), is_default: true })
    const { payout_instrument: again } = await mine.setDefaultPayoutInstrument({ id: first!.id })
    expect(again).toMatchObject({ is_default: true })
    expect(Date.parse(again!.frozen_until!)).toBeGreaterThanOrEqual(Date.parse(second!.frozen_until!))
  })

  test('are frozen by dispatch when the phone moves, whatever the instruments; nobody else may, and nothing thaws', async () => {
    const caller = rider()
    const mine = payouts.as(caller)
    const { payout_instrument: first } = await mine.createPayoutInstrument(newAccount())
    const frozenMs = async () => Date.parse((await mine.listPayoutInstruments({})).items[0]!.frozen_until!)
    await payouts.sql('UPDATE payout_instruments SET frozen_until = NULL WHERE id = $1', [first!.id])
    const rider_id = caller.actor.id
    for (const stranger of [caller, liveMerchant(), operator(), systemCaller('order')])
      await expect(payouts.as(stranger).freezeRiderWithdrawals({ rider_id })).rejects.toMatchObject({
        code: 'forbidden',
      })
    const before = Date.now()
    await payouts.as(systemCaller('dispatch')).freezeRiderWithdrawals({ rider_id })
    expect(await frozenMs()).toBeGreaterThanOrEqual(before + 24 * HOUR_MS - 1_000)
    await expect(mine.requestWithdrawal({ amount_minor: 100_000 })).rejects.toMatchObject({ code: 'withdrawal_frozen' })
    await payouts.sql(`UPDATE payout_instruments SET frozen_until = app_now() + interval '9 days' WHERE id = $1`, [
      first!.id,
    ])
    await payouts.as(systemCaller('dispatch')).freezeRiderWithdrawals({ rider_id })
    expect(await frozenMs()).toBeGreaterThan(before + 8 * 24 * HOUR_MS)
    await payouts.as(systemCaller('dispatch')).freezeRiderWithdrawals({ rider_id: randomUUID() })
  })

  test('reach tokens that a key has minted only where the key may write orders, and instruments no longer once the rider logs in', async () => {
    const minted = (scopes: string[], riderLogsIn = false) =>
      payouts.as({ ...rider(), mintedBy: { credential: 'key:k', scopes, riderLogsIn } })
    const lacking = { code: 'forbidden', details: { required: ['orders:write'] } }
    const tracker = minted(['riders:location'])
    await expect(tracker.listPayoutInstruments({})).rejects.toMatchObject(lacking)
    await expect(tracker.createPayoutInstrument(newAccount())).rejects.toMatchObject(lacking)
    await expect(tracker.setDefaultPayoutInstrument({ id: randomUUID() })).rejects.toMatchObject(lacking)
    await expect(tracker.listWithdrawals({ limit: 0, offset: 0 })).rejects.toMatchObject(lacking)
    await expect(tracker.requestWithdrawal({ amount_minor: 1 })).rejects.toMatchObject(lacking)
    await expect(tracker.cancelWithdrawal({ id: randomUUID() })).rejects.toMatchObject(lacking)
    expect((await minted(['orders:write']).createPayoutInstrument(newAccount())).payout_instrument).toBeDefined()
    const grown = minted(['orders:write'], true)
    const own = { code: 'forbidden', details: { reason: 'rider_login_required' } }
    await expect(grown.createPayoutInstrument(newAccount())).rejects.toMatchObject(own)
    await expect(grown.setDefaultPayoutInstrument({ id: randomUUID() })).rejects.toMatchObject(own)
    expect((await grown.listPayoutInstruments({})).items).toEqual([])
  })

  test('tell of each change by a fact', async () => {
    const caller = rider()
    const { payout_instrument: made } = await payouts.as(caller).createPayoutInstrument(newAccount())
    const told = await payouts.sql<{ payload: Buffer }>(
      "SELECT payload FROM outbox WHERE type = 'payout_instrument.changed' ORDER BY seq",
    )
    expect(told.map(({ payload }) => PayoutInstrumentFact.decode(payload))).toContainEqual({
      owner_type: 'rider',
      owner_id: caller.actor.id,
      payout_instrument_id: made!.id,
      account_last4: made!.account_last4,
    })
  })

  test('of a merchant are frozen from the second one on and by another default, and the owner gets a mail each time', async () => {
    const { email, caller } = await payouts.merchant()
    const mine = payouts.as(caller)
    await payouts.fund({ kind: 'merchant', id: caller.merchantId! }, 1_000_000)
    const { payout_instrument: first } = await mine.createPayoutInstrument(newAccount())
    expect(first!.frozen_until).toBeUndefined()
    await mine.requestWithdrawal({ amount_minor: 100_000 })
    const { payout_instrument: second } = await mine.createPayoutInstrument(newAccount())
    for (const payout_instrument_id of [first!.id, second!.id])
      await expect(mine.requestWithdrawal({ amount_minor: 100_000, payout_instrument_id })).rejects.toMatchObject({
        code: 'withdrawal_frozen',
        details: { frozen_until: second!.frozen_until },
      })
    const mails = async () => (await payouts.outbox()).filter(({ to }) => to === email)
    await eventually(async () => {
      expect(await mails()).toMatchObject([{ text: expect.stringContaining(second!.account_last4) }])
    })
    const { payout_instrument: chosen } = await mine.setDefaultPayoutInstrument({ id: second!.id })
    expect(Date.parse(chosen!.frozen_until!)).toBeGreaterThanOrEqual(Date.parse(second!.frozen_until!))
    await eventually(async () => expect(await mails()).toHaveLength(2))
    expect((await mails())[1]!.text).toContain('the default account')
  })

  test('are not frozen anew by making the default the default', async () => {
    const mine = payouts.as(rider())
    const { payout_instrument: first } = await mine.createPayoutInstrument(newAccount())
    const { payout_instrument: same } = await mine.setDefaultPayoutInstrument({ id: first!.id })
    expect(same).toEqual(first)
  })
})

describe('who may', () => {
  test('see and change instruments: their owner', async () => {
    const owner = liveMerchant()
    const { payout_instrument: theirs } = await payouts.as(owner).createPayoutInstrument(newAccount())
    for (const stranger of [liveMerchant(), rider(owner.merchantId!)]) {
      expect((await payouts.as(stranger).listPayoutInstruments({})).items).toEqual([])
      const refused = payouts.as(stranger).setDefaultPayoutInstrument({ id: theirs!.id })
      await expect(refused).rejects.toMatchObject({ code: 'not_found' })
    }
    await expect(payouts.as(owner).setDefaultPayoutInstrument({ id: 'x' })).rejects.toMatchObject({ code: 'not_found' })
  })

  test('register accounts: live credentials with the scope, for themselves', async () => {
    const register = (caller: Parameters<TestPayouts['as']>[0]) =>
      payouts.as(caller).createPayoutInstrument(newAccount())
    const liveModeRequired = { code: 'forbidden', details: { reason: 'live_mode_required' } }
    await expect(register(merchantCaller({ isTest: true }))).rejects.toMatchObject(liveModeRequired)
    await expect(register(riderCaller(randomUUID(), { isTest: true }))).rejects.toMatchObject(liveModeRequired)
    const acting = { ...liveMerchant(), actingFor: randomUUID() }
    for (const forbidden of [{ ...liveMerchant(), scopes: ['orders:read'] }, acting, operator()])
      await expect(register(forbidden)).rejects.toMatchObject({ code: 'forbidden' })
    await expect(payouts.as(acting).listPayoutInstruments({})).rejects.toMatchObject({ code: 'forbidden' })
    expect((await payouts.as(merchantCaller()).listPayoutInstruments({})).items).toEqual([])
  })

  test('see those of others: operators with the permission, of one owner at a time', async () => {
    const [merchant, courier] = [liveMerchant(), rider()]
    for (const caller of [merchant, courier]) await payouts.as(caller).createPayoutInstrument(newAccount())
    const merchants = payouts.as(adminCaller({ permissions: ['admin.merchants.read'] }))
    const riders = payouts.as(adminCaller({ permissions: ['admin.riders.read'] }))
    const [merchant_id, rider_id] = [merchant.merchantId!, courier.actor.id]
    expect((await merchants.listPayoutInstruments({ merchant_id })).items).toHaveLength(1)
    expect((await riders.listPayoutInstruments({ rider_id })).items).toHaveLength(1)
    await expect(riders.listPayoutInstruments({ merchant_id })).rejects.toMatchObject({ code: 'forbidden' })
    await expect(merchants.listPayoutInstruments({ rider_id })).rejects.toMatchObject({ code: 'forbidden' })
    for (const unclear of [{}, { merchant_id, rider_id }])
      await expect(riders.listPayoutInstruments(unclear)).rejects.toMatchObject({ code: 'validation_error' })
  })
})

test('each change leaves an audit row that says who did it, without the account number', async () => {
  const caller = rider()
  const account = newAccount()
  await payouts.as(caller).createPayoutInstrument(newAccount())
  const { payout_instrument: second } = await payouts.as(caller).createPayoutInstrument(account)
  await payouts.as(caller).setDefaultPayoutInstrument({ id: second!.id })
  const rows = await payouts.sql<{ payload: Buffer }>(
    `SELECT payload FROM outbox WHERE type = 'audit.recorded' ORDER BY seq`,
  )
  const acts = rows
    .map(({ payload }) => AuditRecorded.decode(payload))
    .filter(({ actor_id }) => actor_id === caller.actor.id)
  expect(acts.map(({ action }) => action)).toEqual([
    'payout_instrument.create',
    'payout_instrument.create',
    'payout_instrument.default',
  ])
  expect(JSON.parse(acts[2]!.after_json!)).toMatchObject({ account_last4: account.account_number.slice(-4) })
  expect(JSON.stringify(acts)).not.toContain(account.account_number)
})

test('without a payment provider no account is registered', async () => {
  const wallet = await startWallet({ WITHDRAWALS_ENABLED: 'true' })
  try {
    const { createPayoutInstrument } = await import('../src/use-cases/payout-instruments/create-payout-instrument.ts')
    const wanted = {
      bankCode: '058',
      accountNumber: '1234567890',
      isDefault: true,
    } as const
    await expect(createPayoutInstrument(wallet.context, byOf(liveMerchant()), wanted)).rejects.toMatchObject({
      code: 'payments_not_configured',
    })
  } finally {
    await wallet.stop()
  }
})
