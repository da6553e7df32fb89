import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { AuditRecorded } from '@svc/contracts/common/v1/audit'
import type { CommissionSettings, PlanCommissionRequest } from '@svc/contracts/wallet/v1/commission_service'
import { adminCaller, eventually, merchantCaller } from '@svc/testing'
import { startWallet, type TestWallet } from './start-wallet.ts'

let wallet: TestWallet
beforeAll(async () => {
  wallet = await startWallet()
})
afterAll(() => wallet.stop())

const operator = () => wallet.commission.as(adminCaller())

async function knownMerchant(): Promise<string> {
  const merchant_id = randomUUID()
  await wallet.announceMerchant(merchant_id)
  await eventually(() => operator().getCommissionSettings({ merchant_id }))
  return merchant_id
}

const replace = (merchant_id: string, settings: Partial<CommissionSettings>) =>
  operator().replaceCommissionSettings({ merchant_id, settings: { rules: [], ...settings } })

const plan = (merchant_id: string, order: Partial<PlanCommissionRequest> = {}) =>
  wallet.orders().planCommission({
    merchant_id,
    is_test: false,
    status: 'delivered',
    payment_verified: false,
    rider_id: randomUUID(),
    ...order,
  })

describe('what a status means in money', () => {
  test('without settings of its own a merchant follows the operator: the rider is paid the default on delivery', async () => {
    expect(await plan(randomUUID())).toMatchObject({
      mode: 'pay',
      amount_minor: 5_000,
      currency: 'NGN',
      payer: 'merchant',
      is_trigger: true,
      require_payment_verified: false,
    })
  })

  test('a merchant’s settings take effect at once, each where it has one', async () => {
    const merchantId = await knownMerchant()
    const { settings } = await replace(merchantId, {
      trigger_statuses: { values: ['handed_over', 'handed_over'] },
      require_payment_verified: true,
      merchant_debit: false,
      rules: [
        { amount_minor: 900, vehicle_type: 'bike', source: 'api' },
        { amount_minor: 700, vehicle_type: 'bike' },
      ],
    })
    expect(settings?.trigger_statuses?.values).toEqual(['handed_over'])
    expect(await plan(merchantId)).toMatchObject({ mode: 'none', is_trigger: false })
    const handedOver = { status: 'handed_over' }
    expect(await plan(merchantId, handedOver)).toMatchObject({
      mode: 'hold_in_escrow',
      payer: 'operator',
      amount_minor: 5_000,
    })
    const verified = { ...handedOver, payment_verified: true, vehicle_type: 'bike' }
    expect(await plan(merchantId, verified)).toMatchObject({ mode: 'pay', amount_minor: 700 })
    expect(await plan(merchantId, { ...verified, source: 'api' })).toMatchObject({ amount_minor: 900 })
    const own = { ...verified, delivery_commission_minor: 1_234 }
    expect(await plan(merchantId, own)).toMatchObject({ mode: 'pay', amount_minor: 1_234 })
  })

  test.each([
    ['a test order', { is_test: true }],
    ['an order without a rider', { rider_id: undefined }],
    ['a commission of zero', { delivery_commission_minor: 0 }],
    ['another status', { status: 'in_transit' }],
  ])('%s moves no money', async (_what, order) => {
    expect(await plan(randomUUID(), order)).toMatchObject({ mode: 'none' })
  })

  test('a negative commission is refused', async () => {
    const refused = plan(randomUUID(), { delivery_commission_minor: -1 })
    await expect(refused).rejects.toMatchObject({ code: 'validation_error' })
  })
})

describe('the settings', () => {
  test('are replaced as a whole; what is left out follows the operator again, and each change is audited', async () => {
    const merchantId = await knownMerchant()
    await replace(merchantId, { automation: false, rules: [{ amount_minor: 1 }] })
    const { settings, effective } = await replace(merchantId, { merchant_debit: false })
    expect(settings).toMatchObject({ automation: undefined, merchant_debit: false, rules: [] })
    expect(effective).toEqual({
      automation: true,
      trigger_statuses: ['delivered'],
      merchant_debit: false,
      require_payment_verified: false,
      rules: [],
      default_commission_minor: 5_000,
    })
    expect(await operator().getCommissionSettings({ merchant_id: merchantId })).toEqual({ settings, effective })
    const audits = await wallet.sql<{ payload: Buffer }>(
      `SELECT payload FROM outbox WHERE type = 'audit.recorded' AND merchant_id = $1 ORDER BY seq`,
      [merchantId],
    )
    expect(audits.map(({ payload }) => AuditRecorded.decode(payload).action)).toEqual([
      'merchant.commission_put',
      'merchant.commission_put',
    ])
    expect(JSON.parse(AuditRecorded.decode(audits[1]!.payload).before_json!)).toMatchObject({ automation: false })
  })

  test('what could not mean anything is refused', async () => {
    const merchantId = await knownMerchant()
    for (const fault of [
      { rules: [{ amount_minor: -1 }] },
      { rules: Array.from({ length: 101 }, () => ({ amount_minor: 1 })) },
      { trigger_statuses: { values: [''] } },
      { trigger_statuses: { values: ['x'.repeat(129)] } },
    ])
      await expect(replace(merchantId, fault)).rejects.toMatchObject({ code: 'validation_error' })
    await expect(replace(randomUUID(), {})).rejects.toMatchObject({ code: 'not_found' })
  })

  test('merchants neither read nor change them, and operators need the permission', async () => {
    const merchant_id = await knownMerchant()
    const merchant = wallet.commission.as(merchantCaller({ merchantId: merchant_id }))
    const reader = wallet.commission.as(adminCaller({ permissions: ['admin.merchants.read'] }))
    const settings: CommissionSettings = { rules: [] }
    for (const attempt of [
      merchant.getCommissionSettings({ merchant_id }),
      merchant.replaceCommissionSettings({ merchant_id, settings }),
      reader.replaceCommissionSettings({ merchant_id, settings }),
    ])
      await expect(attempt).rejects.toMatchObject({ code: 'forbidden' })
  })
})
