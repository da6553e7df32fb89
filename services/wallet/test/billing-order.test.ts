import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { parsePaymentEvent } from '@svc/payments'
import fc from 'fast-check'
import { storeIntent } from '../src/db/subscription-intents.ts'
import { applyBillingEvent } from '../src/use-cases/hooks/take-hook.ts'
import { startWallet, type TestWallet } from './start-wallet.ts'

let wallet: TestWallet
beforeAll(async () => {
  wallet = await startWallet()
})
afterAll(() => wallet.stop())

const PLAN = { plan_code: 'PLN_1', amountMinor: 500_000, currency: 'NGN', period: '1 month' }
const month = (number: number): string => new Date(Date.UTC(2026, number, 5)).toISOString()

/** How an invoice of a month came out; a failed one may be paid later. */
const invoice = fc.constantFrom('paid', 'failed', 'failed, then paid')
const life = fc.record({
  invoices: fc.array(invoice, { maxLength: 4 }),
  isEnded: fc.nat({ max: 3 }).map((number) => number === 0),
})

interface Life {
  invoices: readonly string[]
  isEnded: boolean
}

/** The events of one subscription as the provider would send them, in order. */
function eventsOf(reference: string, tag: string, { invoices, isEnded }: Life): object[] {
  const customer = { customer_code: `CUS_${tag}` }
  const plan = { plan_code: PLAN.plan_code }
  const data = { subscription_code: `SUB_${tag}`, customer }
  const payment = { reference, status: 'success', amount: PLAN.amountMinor, currency: PLAN.currency, plan, customer }
  const announced = invoices.flatMap((outcome, number) => {
    const about = (event: string, paid: boolean) => ({
      event,
      data: {
        customer,
        paid,
        created_at: month(number),
        subscription: { ...data, next_payment_date: month(paid ? number + 1 : number) },
      },
    })
    const paid = about('invoice.update', true)
    if (outcome === 'paid') return [about('invoice.create', false), paid]
    const failed = about('invoice.payment_failed', false)
    return outcome === 'failed' ? [failed] : [failed, paid]
  })
  const end = [
    { event: 'subscription.not_renew', data: { ...data, plan, status: 'non-renewing' } },
    { event: 'subscription.disable', data: { ...data, plan, status: 'complete' } },
  ]
  return [
    { event: 'charge.success', data: payment },
    { event: 'subscription.create', data: { ...data, plan, status: 'active', next_payment_date: month(0) } },
    ...announced,
    ...(isEnded ? end : []),
  ]
}

const bytes = (event: object): Buffer => Buffer.from(JSON.stringify(event))

/** Where a fresh merchant stands after these of its events, what waits being tried again until nothing is left to wait for. */
async function standingAfter(life: Life, choose: (events: object[]) => object[]) {
  const { transact } = wallet.context
  const [merchantId, tag] = [randomUUID(), randomUUID().slice(0, 8)]
  const reference = `sub_${randomUUID()}`
  const intent = { reference, merchantId, kind: 'checkout', planCode: PLAN.plan_code, ...PLAN } as const
  await transact('every tenant', (tx) => storeIntent(tx, intent, null))
  const hook = { hookId: randomUUID(), merchantId: null, signedByPlatform: true }
  let left = choose(eventsOf(reference, tag, life))
  while (left.length > 0) {
    const waiting: object[] = []
    for (const event of left) {
      const { outcome } = await transact('every tenant', (tx) =>
        applyBillingEvent(tx, parsePaymentEvent(bytes(event))!, hook),
      )
      expect(outcome).not.toBe('refused')
      if (outcome === 'waiting') waiting.push(event)
    }
    expect(waiting.length).toBeLessThan(left.length)
    left = waiting
  }
  const [standing] = await wallet.sql<{ billing_status: string; period_end: Date }>(
    'SELECT billing_status, period_end FROM billing_standings WHERE merchant_id = $1',
    [merchantId],
  )
  return standing
}

test('events of a subscription, in any order and however often each comes, end where the ordered ones end', async () => {
  await fc.assert(
    fc.asyncProperty(life, fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true })), async (one, chance) => {
      const draw = (): number => chance.next().value as number
      const ordered = await standingAfter(one, (events) => events)
      const shuffled = await standingAfter(one, (events) =>
        events
          .flatMap((event) => Array.from({ length: 1 + Math.floor(draw() * 3) }, () => ({ event, at: draw() })))
          .toSorted((a, b) => a.at - b.at)
          .map(({ event }) => event),
      )
      expect(shuffled).toEqual(ordered)
      expect(await standingAfter(one, (events) => events.toReversed())).toEqual(ordered)
      expect(ordered!.billing_status).toBe(expectedStatus(one))
    }),
    { numRuns: 30 },
  )
})

function expectedStatus({ invoices, isEnded }: Life): string {
  if (isEnded) return 'canceled'
  return invoices.at(-1) === 'failed' ? 'past_due' : 'active'
}
