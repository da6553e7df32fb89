import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { eventually } from '@svc/testing'
import { readConfig } from '../src/config.ts'
import { insertTopup } from '../src/db/topups.ts'
import { newTopupReference } from '../src/domain/topup.ts'
import { wallet as walletDefinition } from '../src/service.ts'
import { retryWaitingHooks } from '../src/use-cases/hooks/retry-waiting-hooks.ts'
import { sweepTopups } from '../src/use-cases/topups/sweep-topups.ts'
import { expectLedgerHolds } from './ledger-invariants.ts'
import { AMOUNT, type PaymentMesh, paid, paymentMesh } from './payment-mesh.ts'

const HOUR_MS = 3_600_000
const unheard = { outcome: 'success', hook: false }

let mesh: PaymentMesh
let merchant: Awaited<ReturnType<PaymentMesh['merchant']>>
beforeAll(async () => {
  mesh = await paymentMesh({ PAYMENT_SWEEP_AFTER_MS: '0ms' })
})
beforeEach(async () => {
  merchant = await mesh.merchant()
})
afterEach(() => mesh.wallet.database.shiftClock(0))
afterAll(async () => {
  await expectLedgerHolds(mesh.wallet.sql)
  await mesh.stop()
})

const intend = () => mesh.topups(merchant.caller).createTopupIntent({ amount_minor: AMOUNT })

function sweep(): Promise<void> {
  const { context } = mesh.wallet
  return sweepTopups(context, context.payments!, new AbortController().signal)
}

const verifications = (reference: string) => mesh.asked('GET', `/transaction/verify/${reference}`)

async function stateOf(reference: string): Promise<object> {
  const [row] = await mesh.wallet.sql<{ state: string; provider_status: string | null; is_due: boolean }>(
    'SELECT state, provider_status, verify_at IS NOT NULL AS is_due FROM topup_intents WHERE reference = $1',
    [reference],
  )
  return row!
}

const creditedOnce = async (merchantId: string): Promise<void> => {
  expect(await mesh.balanceOf(merchantId)).toBe(AMOUNT)
  const facts = await mesh.wallet.sql(`SELECT FROM outbox WHERE merchant_id = $1 AND type = 'wallet.topup_credited'`, [
    merchantId,
  ])
  expect(facts).toHaveLength(1)
}

describe('a paid top-up of which nobody told us', () => {
  test('is credited by a running service by itself', async () => {
    const settings = { ...mesh.environment, PAYMENT_SWEEP_INTERVAL_MS: '50ms', INSTANCE: 'the-sweeper' }
    const replica = await walletDefinition.create(readConfig(settings))
    await replica.start()
    try {
      const { reference } = await intend()
      await mesh.charge(reference, unheard)
      await eventually(async () => (await mesh.balanceOf(merchant.id)) === AMOUNT)
      await creditedOnce(merchant.id)
    } finally {
      await replica.stop()
    }
  })

  test('is credited when the answer with its page was lost as well', async () => {
    await mesh.fault('reset_after_commit', '/transaction/initialize')
    await expect(intend()).rejects.toMatchObject({ code: 'service_unavailable' })
    const [row] = await mesh.wallet.sql<{ reference: string }>(
      'SELECT reference FROM topup_intents WHERE merchant_id = $1',
      [merchant.id],
    )
    await mesh.charge(row!.reference, unheard)
    await sweep()
    await creditedOnce(merchant.id)
  })

  test.each(['sweep.claimed', 'sweep.verified', 'sweep.credited'])(
    'is credited once although whoever finds out dies at %s',
    async (moment) => {
      const { reference } = await intend()
      await mesh.charge(reference, unheard)
      mesh.crashAt(moment)
      await sweep()
      await mesh.wallet.database.shiftClock(61_000)
      await sweep()
      await creditedOnce(merchant.id)
    },
  )

  test('is credited once when hooks and sweeps find out at the same time', async () => {
    const { reference } = await intend()
    await mesh.charge(reference, unheard)
    const hooks = Array.from({ length: 3 }, () => mesh.handOn(paid(reference)))
    await Promise.all([sweep(), sweep(), ...hooks])
    for (const hook of await Promise.all(hooks))
      expect(await mesh.judgement(hook)).toMatchObject({ outcome: 'applied' })
    await creditedOnce(merchant.id)
  })

  test('is credited after an attempt on the same page that had failed', async () => {
    const { reference } = await intend()
    await mesh.charge(reference, { outcome: 'failed', hook: false })
    await sweep()
    expect(await stateOf(reference)).toEqual({ state: 'open', provider_status: 'failed', is_due: true })
    await mesh.charge(reference, unheard)
    await mesh.wallet.database.shiftClock(HOUR_MS)
    await sweep()
    await creditedOnce(merchant.id)
  })

  test('is credited when the provider is there again', async () => {
    const { reference } = await intend()
    await mesh.charge(reference, unheard)
    await mesh.fault('html_500', `/transaction/verify/${reference}`, { count: 5 })
    await sweep()
    expect(await mesh.balanceOf(merchant.id)).toBe(0)
    for (let round = 1; round <= 6; round++) {
      await mesh.wallet.database.shiftClock(round * 61_000)
      await sweep()
    }
    await creditedOnce(merchant.id)
  })

  test('is not credited with a sum or a currency that was not asked for', async () => {
    for (const wrong of [{ amount: AMOUNT - 1 }, { amount: AMOUNT * 10 }, { currency: 'GHS' }]) {
      const { reference } = await intend()
      await mesh.charge(reference, { ...unheard, ...wrong })
      await sweep()
      expect(await stateOf(reference)).toEqual({ state: 'open', provider_status: 'success', is_due: true })
    }
    expect(await mesh.balanceOf(merchant.id)).toBe(0)
  })
})

describe('asking the provider', () => {
  test('is shared by all who sweep: each top-up is asked about by one of them', async () => {
    const intents = await Promise.all(Array.from({ length: 12 }, intend))
    for (const { reference } of intents) await mesh.charge(reference, unheard)
    await Promise.all([sweep(), sweep(), sweep()])
    for (const { reference } of intents) expect(await verifications(reference)).toHaveLength(1)
    expect(await mesh.balanceOf(merchant.id)).toBe(intents.length * AMOUNT)
  })

  test('ends after three days; a hook that comes even later still credits', async () => {
    const { reference } = await intend()
    await mesh.wallet.database.shiftClock(71 * HOUR_MS)
    await sweep()
    expect(await stateOf(reference)).toEqual({ state: 'open', provider_status: 'abandoned', is_due: true })
    await mesh.wallet.database.shiftClock(72 * HOUR_MS + 1_000)
    await sweep()
    expect(await stateOf(reference)).toEqual({ state: 'expired', provider_status: 'abandoned', is_due: false })
    await mesh.wallet.database.shiftClock(100 * HOUR_MS)
    await sweep()
    expect(await verifications(reference)).toHaveLength(2)
    const [hook] = await mesh.charge(reference, { outcome: 'success' })
    expect(await mesh.judgement(hook!)).toMatchObject({ outcome: 'applied' })
    await creditedOnce(merchant.id)
  })

  test('ends after three days too where the provider will not say, and keeps nobody from being asked about', async () => {
    const [refused, other] = [await intend(), await intend()]
    await mesh.fault('status', `/transaction/verify/${refused.reference}`, { status: 400 })
    await mesh.charge(other.reference, unheard)
    await mesh.wallet.database.shiftClock(HOUR_MS)
    await sweep()
    await creditedOnce(merchant.id)
    expect(await stateOf(refused.reference)).toEqual({ state: 'open', provider_status: null, is_due: true })
    await mesh.wallet.database.shiftClock(HOUR_MS + 120_000)
    await sweep()
    expect(await verifications(refused.reference)).toHaveLength(1)
    await mesh.wallet.database.shiftClock(72 * HOUR_MS + 1_000)
    await mesh.fault('status', `/transaction/verify/${refused.reference}`, { status: 400 })
    await sweep()
    expect(await stateOf(refused.reference)).toEqual({ state: 'expired', provider_status: null, is_due: false })
  })

  test('goes on about a reference that the provider does not know yet', async () => {
    await mesh.fault('reset_before', '/transaction/initialize')
    await expect(intend()).rejects.toMatchObject({ code: 'service_unavailable' })
    await sweep()
    const [row] = await mesh.wallet.sql<{ reference: string }>(
      'SELECT reference FROM topup_intents WHERE merchant_id = $1',
      [merchant.id],
    )
    expect(await stateOf(row!.reference)).toEqual({ state: 'opening', provider_status: null, is_due: true })
  })

  test('is not done about what it refused to open', async () => {
    await mesh.fault('status', '/transaction/initialize', { status: 400 })
    await expect(intend()).rejects.toMatchObject({ code: 'service_unavailable' })
    const [row] = await mesh.wallet.sql<{ reference: string }>(
      'SELECT reference FROM topup_intents WHERE merchant_id = $1',
      [merchant.id],
    )
    expect(await stateOf(row!.reference)).toMatchObject({ state: 'refused', is_due: false })
  })
})

describe('whatever goes wrong', () => {
  const openings = ['well', 'answer lost', 'died before the page was stored'] as const
  const payments = [[], ['failed'], ['success'], ['failed', 'success']] as const
  const hooks = [0, 3]
  const cases = openings.flatMap((opening) =>
    payments.flatMap((outcomes) => hooks.map((times) => ({ opening, outcomes, times }))),
  )

  async function opened(opening: (typeof openings)[number]): Promise<string> {
    if (opening === 'answer lost') await mesh.fault('reset_after_commit', '/transaction/initialize')
    if (opening === 'died before the page was stored') mesh.crashAt('topup.initialized')
    await intend().catch(() => undefined)
    const [newest] = await mesh.wallet.sql<{ reference: string }>(
      'SELECT reference FROM topup_intents WHERE merchant_id = $1 ORDER BY created_at DESC LIMIT 1',
      [merchant.id],
    )
    return newest!.reference
  }

  test('every top-up that was paid is credited once, and no other', async () => {
    const paidFor: string[] = []
    const told: string[] = []
    for (const { opening, outcomes, times } of cases) {
      const reference = await opened(opening)
      if (outcomes.some((outcome) => outcome === 'success')) paidFor.push(reference)
      for (const outcome of outcomes)
        told.push(...(await mesh.charge(reference, { outcome, hook: times > 0, times: times || 1 })))
    }
    for (const moment of ['sweep.claimed', 'sweep.verified', 'sweep.credited']) {
      mesh.crashAt(moment)
      await sweep()
    }
    await mesh.wallet.database.shiftClock(HOUR_MS)
    await sweep()
    for (const hook of told) await mesh.judgement(hook)

    const credited = await mesh.wallet.sql<{ subject_id: string }>(
      `SELECT subject_id FROM wallet_ops WHERE kind = 'topup' AND merchant_id = $1`,
      [merchant.id],
    )
    expect(credited.map(({ subject_id }) => subject_id).sort()).toEqual(paidFor.sort())
    expect(paidFor).toHaveLength(cases.length / 2)
    expect(await mesh.balanceOf(merchant.id)).toBe(paidFor.length * AMOUNT)
  })
})

describe('a hook about a top-up that is not known', () => {
  const retry = () => retryWaitingHooks(mesh.wallet.context, new AbortController().signal)

  const waits = (hookId: string) =>
    eventually(
      async () => (await mesh.wallet.sql('SELECT FROM waiting_hooks WHERE hook_id = $1', [hookId])).length === 1,
    )

  const judgements = (hookId: string) => mesh.wallet.sql('SELECT FROM outbox WHERE aggregate_id = $1', [hookId])

  test('waits for it, and takes effect once it is', async () => {
    const reference = newTopupReference()
    const hook = await mesh.handOn(paid(reference))
    await waits(hook)
    expect(await judgements(hook)).toEqual([])
    const tenant = { merchantId: merchant.id, isTest: false }
    const topup = { reference, merchantId: merchant.id, amountMinor: AMOUNT, currency: 'NGN' }
    await mesh.wallet.context.transact(tenant, (tx) =>
      insertTopup(tx, { ...topup, callbackUrl: undefined, idempotency: undefined, verifyAfterMs: HOUR_MS }),
    )
    await mesh.wallet.database.shiftClock(HOUR_MS + 1_000)
    await Promise.all([retry(), retry()])
    expect(await mesh.judgement(hook)).toMatchObject({ outcome: 'applied' })
    await creditedOnce(merchant.id)
    expect(await mesh.wallet.sql('SELECT FROM waiting_hooks WHERE hook_id = $1', [hook])).toEqual([])
  })

  test('is refused when it has waited for a day', async () => {
    const hook = await mesh.handOn(paid(newTopupReference()))
    await waits(hook)
    await mesh.wallet.database.shiftClock(23 * HOUR_MS)
    await retry()
    expect(await judgements(hook)).toEqual([])
    await mesh.wallet.database.shiftClock(25 * HOUR_MS)
    await retry()
    expect(await mesh.judgement(hook)).toMatchObject({ outcome: 'refused', reason: 'unmatched' })
  })

  test('waits anew when it is handed on again, and is judged once per time', async () => {
    const hookId = randomUUID()
    const body = paid(newTopupReference())
    await mesh.handOn(body, { hookId })
    await waits(hookId)
    await mesh.wallet.database.shiftClock(23 * HOUR_MS)
    await mesh.handOn(body, { hookId, version: 2 })
    await eventually(
      async () =>
        (await mesh.wallet.sql('SELECT FROM waiting_hooks WHERE hook_id = $1 AND version = 2', [hookId])).length === 1,
    )
    await mesh.wallet.database.shiftClock(25 * HOUR_MS)
    await retry()
    expect(await judgements(hookId)).toEqual([])
    await mesh.wallet.database.shiftClock(48 * HOUR_MS)
    await retry()
    expect(await mesh.judgement(hookId, 2)).toMatchObject({ outcome: 'refused', reason: 'unmatched' })
    expect(await judgements(hookId)).toHaveLength(1)
  })

  test('handed on again by another address waits by that one: it is judged as it came last', async () => {
    const [hookId, reference] = [randomUUID(), newTopupReference()]
    await mesh.handOn(paid(reference), { hookId, merchantId: randomUUID() })
    await waits(hookId)
    await mesh.handOn(paid(reference, { fees: 1 }), { hookId, version: 2 })
    await eventually(
      async () =>
        (await mesh.wallet.sql('SELECT FROM waiting_hooks WHERE hook_id = $1 AND version = 2', [hookId])).length === 1,
    )
    const tenant = { merchantId: merchant.id, isTest: false }
    const topup = { reference, merchantId: merchant.id, amountMinor: AMOUNT, currency: 'NGN' }
    await mesh.wallet.context.transact(tenant, (tx) =>
      insertTopup(tx, { ...topup, callbackUrl: undefined, idempotency: undefined, verifyAfterMs: HOUR_MS }),
    )
    await mesh.wallet.database.shiftClock(HOUR_MS)
    await retry()
    expect(await mesh.judgement(hookId, 2)).toMatchObject({ outcome: 'applied' })
    await creditedOnce(merchant.id)
  })
})
