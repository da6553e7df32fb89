import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { BillingFact } from '@svc/contracts/wallet/v1/billing_service'
import type { Caller } from '@svc/grpc'
import { createLogger } from '@svc/logging'
import { adminCaller, eventually, merchantCaller } from '@svc/testing'
import { FOREIGN_SIGNATURE, type PaymentMesh, paymentMesh } from './payment-mesh.ts'
import { startWallet } from './start-wallet.ts'

let mesh: PaymentMesh
/** The failpoint at which the next one dies. */
let dyingAt: string | undefined
/** What the wallet calls an operator for. */
const alerts: Array<{ alert?: string; reference?: string }> = []
beforeAll(async () => {
  const logger = createLogger('wallet', { write: (line) => alerts.push(JSON.parse(line)) })
  logger.level = 'error'
  mesh = await paymentMesh(
    { PAYMENT_SWEEP_AFTER_MS: '0s', PAYMENT_SWEEP_INTERVAL_MS: '500ms' },
    {
      logger,
      failpoint(name) {
        if (name !== dyingAt) return
        dyingAt = undefined
        throw new Error(`the process dies at ${name}`)
      },
    },
  )
})
afterAll(() => mesh.stop())

const billing = (caller: Caller) => mesh.wallet.billing.as(caller)
const starter = async () =>
  (await billing(merchantCaller()).listPlans({})).items.find(({ name }) => name === 'Starter')!
const growth = async () => (await billing(merchantCaller()).listPlans({})).items.find(({ name }) => name === 'Growth')!

/** What admin, which owns the account, says. */
const account = async (id: string) =>
  (await mesh.admin.merchants.as(adminCaller()).getMerchant({ id, include_kyb_payload: false })).merchant!

const intentsOf = (merchantId: string) =>
  mesh.wallet.sql<{ reference: string; kind: string; state: string; subscription_code: string | null }>(
    'SELECT reference, kind, state, subscription_code FROM subscription_intents WHERE merchant_id = $1 ORDER BY created_at',
    [merchantId],
  )

async function billingFactsOf(merchantId: string): Promise<BillingFact[]> {
  const rows = await mesh.wallet.sql<{ payload: Buffer }>(
    `SELECT payload FROM outbox WHERE type = 'billing.status_changed' AND merchant_id = $1 ORDER BY seq`,
    [merchantId],
  )
  return rows.map(({ payload }) => BillingFact.decode(payload))
}

async function subscribed() {
  const merchant = await mesh.merchant()
  const { plan_code } = await starter()
  const { reference } = await billing(merchant.caller).createSubscriptionIntent({ plan_code })
  await mesh.charge(reference, { outcome: 'success' })
  await eventually(async () => (await account(merchant.id)).billing_period_end !== undefined)
  const { subscription_code: code } = await eventually(async () => {
    const [row] = await mesh.wallet.sql<{ subscription_code: string }>(
      'SELECT subscription_code FROM subscriptions WHERE merchant_id = $1 AND plan_code = $2',
      [merchant.id, plan_code],
    )
    return row ?? null
  })
  return { ...merchant, plan_code, reference, code }
}

const fault = (path: string, rest: object) =>
  mesh.control('faults', { provider: 'payments-a', match: { path }, ...rest })

describe('the plans', () => {
  test('leave with the fields of a plan and no other: the provider’s answer holds cards of strangers', async () => {
    const { items } = await billing(merchantCaller()).listPlans({})
    expect(items.map(({ name }) => name)).toEqual(['Starter', 'Growth', 'Scale', 'Growth, by the year'])
    expect(items[0]).toEqual({
      plan_code: expect.stringMatching(/^PLN_/),
      name: 'Starter',
      description: 'For a first shop',
      amount_minor: 500_000,
      interval: 'monthly',
      currency: 'NGN',
    })
    const fields = ['amount_minor', 'currency', 'description', 'interval', 'name', 'plan_code']
    for (const item of items) expect(Object.keys(item).toSorted()).toEqual(fields)
  })

  test('are asked for once in a minute, and a failure is nobody’s plans', async () => {
    await fault('/plan', { mode: 'html_500', count: 4 })
    const fresh = await startWallet({ ...mesh.environment, TOPIC_PREFIX: `${mesh.environment.TOPIC_PREFIX}other.` })
    try {
      const plans = () => fresh.billing.as(merchantCaller()).listPlans({})
      await expect(plans()).rejects.toMatchObject({ code: 'service_unavailable' })
      await expect(plans()).rejects.toMatchObject({ code: 'service_unavailable' })
      const before = (await mesh.asked('GET', '/plan')).length
      const [{ items }] = await Promise.all([plans(), plans()])
      expect((await plans()).items).toEqual(items)
      expect((await mesh.asked('GET', '/plan')).length).toBe(before + 1)
    } finally {
      await fresh.stop()
    }
  })

  test('need a provider, as everything that is paid does; what is known without one is still told', async () => {
    const alone = await startWallet()
    try {
      const merchant = alone.billing.as(merchantCaller({ isTest: false }))
      for (const refused of [
        merchant.listPlans({}),
        merchant.createSubscriptionIntent({ plan_code: 'PLN_x' }),
        merchant.createSubscription({ plan_code: 'PLN_x' }),
      ])
        await expect(refused).rejects.toMatchObject({ code: 'payments_not_configured' })
      expect(await merchant.getBilling({})).toEqual({
        billing_enforcement_enabled: false,
        billing_entitlements_note: expect.stringContaining('wallet'),
        subscription_manage_url: undefined,
      })
    } finally {
      await alone.stop()
    }
  })
})

describe('a checkout of a subscription', () => {
  test('makes the merchant active until the next payment is due, with a page to manage it, and lifts past_due', async () => {
    const { id, caller } = await mesh.merchant()
    await mesh.admin.merchants.as(adminCaller()).updateMerchant({ id, billing_status: 'past_due', clear_fields: [] })
    const plan = await starter()
    const callback_url = 'https://shop.example/paid?x=1'
    const intent = await billing(caller).createSubscriptionIntent({ plan_code: plan.plan_code, callback_url })
    expect(intent).toEqual({
      reference: expect.stringMatching(/^sub_[0-9a-f-]{36}$/),
      authorization_url: expect.stringMatching(/^http/),
      access_code: expect.any(String),
      amount_minor: plan.amount_minor,
    })
    expect((await account(id)).billing_status).toBe('past_due')

    const hooks = await mesh.charge(intent.reference, { outcome: 'success', times: 2 })
    for (const hook of hooks) expect(await mesh.judgement(hook)).toMatchObject({ outcome: 'applied' })
    const paid = await eventually(async () => {
      const merchant = await account(id)
      return merchant.billing_period_end === undefined ? null : merchant
    })
    expect(paid).toMatchObject({ billing_status: 'active' })
    const daysLeft = (Date.parse(paid.billing_period_end!) - Date.now()) / 86_400_000
    expect(daysLeft).toBeGreaterThan(27)
    expect((await billing(caller).getBilling({})).subscription_manage_url).toMatch(/\/manage\/SUB_/)
    expect(await intentsOf(id)).toMatchObject([
      { kind: 'checkout', state: 'paid', subscription_code: expect.stringMatching(/^SUB_/) },
    ])
    await eventually(async () => {
      const { rows } = await mesh.admin.worker.query(
        `SELECT FROM audit_log WHERE merchant_id = $1 AND actor_type = 'system' AND actor_id = 'wallet'
            AND after_json ->> 'billing_status' = 'active'`,
        [id],
      )
      return rows.length === 1
    })
  })

  test('whose hooks were all lost counts all the same: the provider is asked', async () => {
    const { id, caller } = await mesh.merchant()
    const { plan_code } = await starter()
    const { reference } = await billing(caller).createSubscriptionIntent({ plan_code })
    await mesh.charge(reference, { outcome: 'success', hook: false })
    await eventually(async () => (await intentsOf(id))[0]!.state === 'paid')
    await eventually(async () => (await billingFactsOf(id)).length > 0)
    expect(await billingFactsOf(id)).toMatchObject([{ billing_status: 'active', reason: 'charge.success' }])
  })

  test('is written down before the provider hears of it, so that a payment whose answer was lost finds its intent', async () => {
    const { id, caller } = await mesh.merchant()
    const { plan_code } = await starter()
    await fault('/transaction/initialize', { mode: 'reset_after_commit' })
    await expect(billing(caller).createSubscriptionIntent({ plan_code })).rejects.toMatchObject({
      code: 'service_unavailable',
    })
    const [intent] = await intentsOf(id)
    expect(intent).toMatchObject({ state: 'open' })
    await mesh.charge(intent!.reference, { outcome: 'success' })
    await eventually(async () => (await intentsOf(id))[0]!.state === 'paid')
  })

  test('whose process died before or after the provider heard of it is paid, or never was', async () => {
    const { id, caller } = await mesh.merchant()
    const { plan_code } = await starter()
    for (dyingAt of ['subscription_intent.stored', 'subscription_intent.initialized'])
      await expect(billing(caller).createSubscriptionIntent({ plan_code })).rejects.toMatchObject({
        code: 'internal_error',
      })
    const [unheard, opened] = await intentsOf(id)
    await expect(mesh.charge(unheard!.reference, { outcome: 'success' })).rejects.toThrow('404')
    dyingAt = 'subscription_intent.verified'
    await mesh.charge(opened!.reference, { outcome: 'success', hook: false })
    await mesh.wallet.sql('UPDATE subscription_intents SET verify_at = now() WHERE reference = $1', [opened!.reference])
    await eventually(() => dyingAt === undefined)
    // The lease of the one that died.
    await mesh.wallet.sql('UPDATE subscription_intents SET verify_at = now() WHERE reference = $1', [opened!.reference])
    await eventually(async () => (await intentsOf(id))[1]!.state === 'paid')
    expect((await intentsOf(id))[0]).toMatchObject({ state: 'open' })
  })

  test.each([
    ['an unknown plan', { plan_code: 'PLN_unknown' }, 'plan_code'],
    ['no plan', { plan_code: '' }, 'plan_code'],
    ['a plan that is a path', { plan_code: '../customer' }, 'plan_code'],
    ['a page without https', { callback_url: 'http://shop.example' }, 'callback_url'],
  ])('with %s is refused and asks the provider for nothing', async (_what, fields, field) => {
    const { id, caller } = await mesh.merchant()
    const wanted = { plan_code: (await starter()).plan_code, ...fields }
    await expect(billing(caller).createSubscriptionIntent(wanted)).rejects.toMatchObject({
      code: 'validation_error',
      details: expect.objectContaining({ field }),
    })
    expect(await intentsOf(id)).toEqual([])
  })

  test('takes live credentials that may write', async () => {
    const { id } = await mesh.merchant()
    const { plan_code } = await starter()
    const test = merchantCaller({ merchantId: id, isTest: true })
    const reader = merchantCaller({ merchantId: id, isTest: false, scopes: ['orders:read'] })
    for (const wanted of [
      billing(test).createSubscriptionIntent({ plan_code }),
      billing(test).createSubscription({ plan_code }),
    ])
      await expect(wanted).rejects.toMatchObject({ code: 'forbidden', details: { reason: 'live_mode_required' } })
    for (const wanted of [
      billing(reader).createSubscriptionIntent({ plan_code }),
      billing(reader).createSubscription({ plan_code }),
      billing(adminCaller()).getBilling({}),
    ])
      await expect(wanted).rejects.toMatchObject({ code: 'forbidden' })
  })

  test('with an authorization of an earlier payment is for the merchant in person, not for who acts for it', async () => {
    const { id, caller } = await mesh.merchant()
    const { plan_code } = await starter()
    const wanted = billing({ ...caller, actingFor: id }).createSubscription({ plan_code })
    await expect(wanted).rejects.toMatchObject({ code: 'forbidden', details: { reason: 'acting_for_another' } })
  })

  test('of a plan that is paid for already is refused: it would be paid twice', async () => {
    const { caller, plan_code } = await subscribed()
    await expect(billing(caller).createSubscriptionIntent({ plan_code })).rejects.toMatchObject({
      code: 'already_exists',
    })
  })
})

describe('a payment of which no subscription comes', () => {
  const DAY = 86_400_000

  /** A merchant whose checkout is paid, of which the provider tells nothing else. */
  async function paidAlone() {
    const merchant = await mesh.merchant()
    const { plan_code } = await starter()
    const { reference } = await billing(merchant.caller).createSubscriptionIntent({ plan_code })
    await mesh.charge(reference, { outcome: 'success', hook: false })
    await eventually(async () => (await billingFactsOf(merchant.id)).length === 1)
    return { ...merchant, plan_code, reference }
  }

  /** Lets the payment have been made so much earlier, and looks at it. */
  const grow = (reference: string, days: number) =>
    mesh.wallet.sql(
      `UPDATE subscription_intents SET paid_at = paid_at - make_interval(days => $2), verify_at = app_now()
        WHERE reference = $1`,
      [reference, days],
    )

  const alertsOf = (reference: string) => alerts.filter((line) => line.reference === reference)

  test('keeps the plan from being paid a second time while its subscription may be on its way', async () => {
    const { caller, plan_code, reference } = await paidAlone()
    for (const again of [
      () => billing(caller).createSubscriptionIntent({ plan_code }),
      () => billing(caller).createSubscription({ plan_code }),
    ])
      await expect(again()).rejects.toMatchObject({ code: 'already_exists', details: { reference } })
    const other = (await growth()).plan_code
    expect(await billing(caller).createSubscriptionIntent({ plan_code: other })).toMatchObject({
      reference: expect.any(String),
    })
  })

  test('is named by the refusal where it is the oldest of several', async () => {
    const { caller } = await mesh.merchant()
    const { plan_code } = await starter()
    const older = await billing(caller).createSubscriptionIntent({ plan_code })
    const younger = await billing(caller).createSubscriptionIntent({ plan_code })
    const references = [younger.reference, older.reference]
    expect(new Set(references).size).toBe(2)
    for (const reference of references) await mesh.charge(reference, { outcome: 'success', hook: false })
    await eventually(async () => {
      const paid = `SELECT reference FROM subscription_intents WHERE state = 'paid' AND reference = ANY($1) ORDER BY 1`
      expect(await mesh.wallet.sql(paid, [references])).toHaveLength(2)
    })
    await expect(billing(caller).createSubscription({ plan_code })).rejects.toMatchObject({
      code: 'already_exists',
      details: { reference: older.reference },
    })
  })

  test('calls an operator after two days, and counts for the period that was paid and no longer', async () => {
    const { id, caller, plan_code, reference } = await paidAlone()
    const daysLeft = async () => (Date.parse((await billingFactsOf(id)).at(-1)!.billing_period_end!) - Date.now()) / DAY
    expect(await daysLeft()).toBeGreaterThan(27)
    await grow(reference, 3)
    await eventually(() => alertsOf(reference).some(({ alert }) => alert === 'subscription_missing'))
    expect((await billingFactsOf(id)).at(-1)).toMatchObject({ billing_status: 'active' })
    expect(await billing(caller).createSubscriptionIntent({ plan_code })).toMatchObject({
      reference: expect.any(String),
    })

    await grow(reference, 30)
    await eventually(async () => (await billingFactsOf(id)).at(-1)!.billing_status === 'canceled')
    await eventually(async () => (await account(id)).billing_status === 'canceled')
  })

  test('made beside another that has one ends with that one, however late anybody looks', async () => {
    const { id, caller } = await mesh.merchant()
    const { plan_code } = await starter()
    const pages = [1, 2].map(() => billing(caller).createSubscriptionIntent({ plan_code }))
    const [first, second] = await Promise.all(pages)
    await mesh.charge(first!.reference, { outcome: 'success' })
    const { code } = await eventually(async () => {
      const [row] = await mesh.wallet.sql<{ code: string }>(
        'SELECT subscription_code AS code FROM subscriptions WHERE merchant_id = $1',
        [id],
      )
      return row ?? null
    })
    await mesh.charge(second!.reference, { outcome: 'success', hook: false })
    await eventually(async () => (await intentsOf(id)).every(({ state }) => state === 'paid'))
    await mesh.handOn({ event: 'subscription.disable', data: { status: 'complete', subscription_code: code } })
    const { reference } = (await intentsOf(id)).find(({ subscription_code }) => subscription_code === null)!
    await grow(reference, 400)
    await eventually(async () => (await account(id)).billing_status === 'canceled')
    await eventually(() => alertsOf(reference).some(({ alert }) => alert === 'subscription_missing'))
  })
})

describe('a payment that is not what was asked for', () => {
  test.each([
    ['another amount', { amount: 100 }, 'amount_mismatch'],
    ['another currency', { currency: 'GHS' }, 'currency_mismatch'],
  ])('%s changes nothing and is told', async (_what, paid, reason) => {
    const { id, caller } = await mesh.merchant()
    const { reference } = await billing(caller).createSubscriptionIntent({ plan_code: (await starter()).plan_code })
    const [charged] = await mesh.charge(reference, { outcome: 'success', ...paid })
    expect(await mesh.judgement(charged!)).toMatchObject({ outcome: 'refused', reason })
    expect(await intentsOf(id)).toMatchObject([{ state: 'open' }])
  })

  test('an event on the path, or with the metadata, of another merchant is refused', async () => {
    const { id, code } = await subscribed()
    const stranger = randomUUID()
    const disable = { event: 'subscription.disable', data: { status: 'complete', subscription_code: code } }
    const forged = { ...disable, data: { ...disable.data, metadata: { merchant_id: stranger } } }
    for (const hook of [await mesh.handOn(disable, { merchantId: stranger }), await mesh.handOn(forged)])
      expect(await mesh.judgement(hook)).toMatchObject({ outcome: 'refused', reason: 'tenant_mismatch' })
    const own = await mesh.handOn(disable, { merchantId: id, signature: FOREIGN_SIGNATURE })
    expect(await mesh.judgement(own)).toMatchObject({ outcome: 'ignored' })
    expect((await account(id)).billing_status).toBe('active')
  })

  test('a charge that no checkout of ours asked for, and cards about to expire, are told and change nothing', async () => {
    const { id, code } = await subscribed()
    const renewal = await mesh.handOn({ event: 'charge.success', data: { reference: randomUUID(), status: 'success' } })
    expect(await mesh.judgement(renewal)).toMatchObject({ outcome: 'ignored', reason: 'no_intent' })
    const cards = [{ expiry_date: '12/2026', subscription: { subscription_code: code } }]
    const expiring = await mesh.handOn({ event: 'subscription.expiring_cards', data: cards })
    expect(await mesh.judgement(expiring)).toMatchObject({ outcome: 'ignored', reason: 'expiring_cards' })
    expect((await account(id)).billing_status).toBe('active')
  })
})

describe('a subscription with a card that paid before', () => {
  test('needs one', async () => {
    const { caller } = await mesh.merchant()
    const { plan_code } = await starter()
    await expect(billing(caller).createSubscription({ plan_code })).rejects.toMatchObject({
      code: 'no_reusable_authorization',
    })
  })

  test('is made once; another merchant’s card is nobody’s here', async () => {
    const { id, email, caller, plan_code } = await subscribed()
    const other = await subscribed()
    await expect(billing(caller).createSubscription({ plan_code })).rejects.toMatchObject({ code: 'already_exists' })
    const wanted = { plan_code: (await growth()).plan_code }
    const theirs = await authorizationOf(other.email)
    await expect(billing(caller).createSubscription({ ...wanted, authorization: theirs })).rejects.toMatchObject({
      code: 'validation_error',
      details: expect.objectContaining({ field: 'authorization' }),
    })
    const authorization = await authorizationOf(email)
    expect(await billing(caller).createSubscription({ ...wanted, authorization })).toMatchObject({
      subscription_code: expect.stringMatching(/^SUB_/),
      plan_code: wanted.plan_code,
      status: 'active',
    })
    await expect(billing(caller).createSubscription(wanted)).rejects.toMatchObject({ code: 'already_exists' })
    const direct = (await intentsOf(id)).filter(({ kind }) => kind === 'authorization')
    expect(direct).toMatchObject([{ state: 'paid' }])
  })

  test.each(['subscription.stored', 'subscription.created'])('is one subscription where we die at %s', async (name) => {
    const { id, caller } = await subscribed()
    const { plan_code } = await growth()
    const wanted = () => billing(caller).createSubscription({ plan_code })
    dyingAt = name
    await expect(wanted()).rejects.toMatchObject({ code: 'internal_error' })
    await mesh.wallet.sql(
      `UPDATE subscription_intents SET attempted_at = attempted_at - interval '2 minutes' WHERE merchant_id = $1`,
      [id],
    )
    await wanted().catch(({ code }: { code: string }) => expect(code).toBe('already_exists'))
    await eventually(async () => {
      const rows = await mesh.wallet.sql(
        'SELECT FROM subscriptions JOIN subscription_intents USING (subscription_code) WHERE subscriptions.plan_code = $1 AND subscriptions.merchant_id = $2',
        [plan_code, id],
      )
      return rows.length === 1
    })
    expect((await intentsOf(id)).filter(({ kind }) => kind === 'authorization')).toHaveLength(1)
  })

  test('whose answer was lost is not made again: its hook tells', async () => {
    const { id, caller } = await subscribed()
    const { plan_code } = await growth()
    await fault('/subscription', { mode: 'reset_after_commit' })
    const wanted = () => billing(caller).createSubscription({ plan_code })
    await expect(wanted()).rejects.toMatchObject({ code: 'service_unavailable' })
    await eventually(async () => (await intentsOf(id)).at(-1)!.subscription_code !== null)
    await expect(wanted()).rejects.toMatchObject({ code: 'already_exists' })
    expect((await intentsOf(id)).filter(({ kind }) => kind === 'authorization')).toHaveLength(1)
  })

  test('that the provider did not answer about is not tried again while it may be under way', async () => {
    const { id, caller } = await subscribed()
    const { plan_code } = await growth()
    await fault('/subscription', { mode: 'reset_before' })
    const wanted = () => billing(caller).createSubscription({ plan_code })
    await expect(wanted()).rejects.toMatchObject({ code: 'service_unavailable' })
    const before = (await mesh.asked('POST', '/subscription')).length
    await expect(wanted()).rejects.toMatchObject({ code: 'service_unavailable', retryAfterSeconds: 60 })
    expect(await mesh.asked('POST', '/subscription')).toHaveLength(before)
    await mesh.wallet.sql(
      `UPDATE subscription_intents SET attempted_at = attempted_at - interval '2 minutes' WHERE merchant_id = $1`,
      [id],
    )
    expect(await wanted()).toMatchObject({ status: 'active' })
  })

  test('of which many ask at once is asked of the provider once', async () => {
    const { caller } = await subscribed()
    const { plan_code } = await growth()
    const before = (await mesh.asked('POST', '/subscription')).length
    const answers = await Promise.allSettled(
      Array.from({ length: 5 }, () => billing(caller).createSubscription({ plan_code })),
    )
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await mesh.asked('POST', '/subscription')).toHaveLength(before + 1)
  })
})

/** As the provider knows it. */
async function authorizationOf(email: string): Promise<string> {
  const customers = await mesh.wallet.sql<{ customer_code: string }>(
    'SELECT customer_code FROM payment_customers ORDER BY created_at',
  )
  for (const { customer_code } of customers) {
    const customer = await mesh.wallet.context.payments!.findCustomer(customer_code)
    if (customer?.email === email) return customer.authorizations[0]!.authorizationCode
  }
  throw new Error(`nobody paid as ${email}`)
}

describe('what became of a subscription', () => {
  const subscription = (code: string, rest: object = {}) => ({ subscription_code: code, ...rest })

  test('a failed invoice makes the merchant past due until that or a newer one is paid, and the end cancels', async () => {
    const { id, code } = await subscribed()
    const invoice = (event: string, created_at: string, rest: object) => ({
      event,
      data: { created_at, subscription: subscription(code, { next_payment_date: '2099-03-01T00:00:00Z' }), ...rest },
    })
    const later = '2098-12-01T00:00:00Z'
    await mesh.handOn(invoice('invoice.payment_failed', later, { paid: false }))
    await eventually(async () => (await account(id)).billing_status === 'past_due')
    await mesh.handOn(invoice('invoice.update', later, { paid: true }))
    await eventually(async () => (await account(id)).billing_status === 'active')
    expect((await account(id)).billing_period_end).toBe('2099-03-01T00:00:00.000Z')

    const older = await mesh.handOn(invoice('invoice.payment_failed', '2098-11-01T00:00:00Z', { paid: false }))
    const unpaid = await mesh.handOn(invoice('invoice.create', later, { paid: false }))
    const ending = await mesh.handOn({ event: 'subscription.not_renew', data: subscription(code) })
    expect(await mesh.judgement(older)).toMatchObject({ outcome: 'applied' })
    expect(await mesh.judgement(unpaid)).toMatchObject({ outcome: 'ignored', reason: 'unpaid_invoice' })
    expect(await mesh.judgement(ending)).toMatchObject({ outcome: 'applied' })
    expect((await account(id)).billing_status).toBe('active')

    await mesh.handOn({ event: 'subscription.disable', data: subscription(code, { status: 'complete' }) })
    await eventually(async () => (await account(id)).billing_status === 'canceled')
    const replayed = await mesh.handOn({
      event: 'subscription.create',
      data: subscription(code, { status: 'active', next_payment_date: '2099-02-01T00:00:00Z' }),
    })
    expect(await mesh.judgement(replayed)).toMatchObject({ outcome: 'applied' })
    expect((await account(id)).billing_status).toBe('canceled')
  })

  test('never sets or lifts an operator’s compliance hold', async () => {
    const { id, code } = await subscribed()
    const hold = { id, billing_status: 'compliance_hold', clear_fields: [] }
    await mesh.admin.merchants.as(adminCaller()).updateMerchant(hold)
    await mesh.handOn({
      event: 'invoice.update',
      data: {
        created_at: '2098-12-01T00:00:00Z',
        paid: true,
        subscription: subscription(code, { next_payment_date: '2099-01-01T00:00:00Z' }),
      },
    })
    await eventually(async () => (await account(id)).billing_period_end === '2099-01-01T00:00:00.000Z')
    expect((await account(id)).billing_status).toBe('compliance_hold')
  })

  test('of a customer nobody knows yet waits for the payment that makes it known', async () => {
    const customer = { customer_code: `CUS_${randomUUID().slice(0, 8)}` }
    const created = { event: 'subscription.create', data: subscription('SUB_early', { customer }) }
    const hook = await mesh.handOn(created)
    await eventually(async () => {
      const rows = await mesh.wallet.sql('SELECT FROM waiting_hooks WHERE hook_id = $1', [hook])
      return rows.length === 1
    })
  })
})

describe('the page to manage a subscription', () => {
  test('is the last one known while the provider is away, and asked for again when it is old', async () => {
    const { id, caller } = await subscribed()
    const url = (await billing(caller).getBilling({})).subscription_manage_url
    expect(url).toMatch(/^http/)
    const asked = async () =>
      (await mesh.asked('GET', url!.replace(/.*\/manage\/(SUB_\w+).*/, '/subscription/$1/manage/link'))).length
    const before = await asked()
    expect((await billing(caller).getBilling({})).subscription_manage_url).toBe(url)
    expect(await asked()).toBe(before)

    await mesh.wallet.sql(
      `UPDATE subscriptions SET manage_url = 'https://old.example/', manage_url_at = manage_url_at - interval '2 hours'
        WHERE merchant_id = $1`,
      [id],
    )
    await fault('/subscription/*', { mode: 'html_500', count: 2 })
    expect((await billing(caller).getBilling({})).subscription_manage_url).toBe('https://old.example/')
    expect((await billing(caller).getBilling({})).subscription_manage_url).toBe(url)
  })
})
