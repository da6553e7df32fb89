import { randomUUID } from 'node:crypto'
import { verifyWebhook } from '@delivery-dispatch/sdk'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { eventually, type Receiver, type RunningMesh, receiver } from '@svc/testing'
import { codeSentTo, joinFleet, newPhone, openRateCard, openZone, operatorOf, placed, type TestRider } from './fleet.ts'
import { Api, answered } from './merchant.ts'
import { PATIENTLY, topUp } from './money.ts'

export interface Owner {
  business_name: string
  email: string
  password: string
}

export interface Statement {
  wallet: { available_minor: number; held_minor: number }
  ledger_transactions: Array<{ entry_type: string; direction: string; amount_minor: number; order_id: string | null }>
}

/** What a merchant does from the first day to the statement, by whatever it calls the API with. */
export interface Merchant {
  /** Answers the id of the merchant. */
  signUp(owner: Owner): Promise<string>
  /** Logs in and has a live key made, which the calls below bear; answers it. */
  goLive(owner: Owner): Promise<string>
  /** Answers the secret that signs. */
  enableEndpoint(url: string): Promise<string>
  /** Answers the id of the order. */
  place(order: object): Promise<string>
  assign(orderId: string, riderId: string): Promise<unknown>
  cancel(orderId: string): Promise<unknown>
  /** The names of the events of an order, oldest first. */
  eventsOf(orderId: string): Promise<string[]>
  statement(): Promise<Statement>
}

const COMMISSION_MINOR = 5_000
const MONEY_MINOR = 1_000_000

/** The main job, live: what operator, rider and payer do is the same whatever the merchant uses. */
export function playMainJob(system: RunningMesh, merchant: Merchant): void {
  describe('the main job, live', () => {
    const owner = { business_name: 'Kitchen', email: `owner-${randomUUID()}@example.com`, password: randomUUID() }
    let operator: Api
    let endpoint: Receiver
    let live: Api
    let rider: TestRider
    let secret: string
    let delivered: string
    let cancelled: string

    beforeAll(async () => {
      operator = await operatorOf(system)
      endpoint = await receiver()
    })
    afterAll(() => endpoint?.close())

    test('a merchant signs up, is approved, and trades live', async () => {
      const id = await merchant.signUp(owner)
      const approved = { kyb_status: 'verified', business_approval_status: 'approved' }
      answered(200, await operator.patch(`/v1/admin/merchants/${id}`, approved))
      await openRateCard(operator, id)
      await openZone(operator, id)
      const key = await merchant.goLive(owner)
      expect(key).toMatch(/^svc_live_/)
      live = new Api(system.baseUrl).bearing(key)
      await topUp(system, live, MONEY_MINOR)
    })

    test('tells where its endpoint is', async () => {
      secret = await merchant.enableEndpoint(endpoint.url)
      expect(secret.length).toBeGreaterThanOrEqual(24)
    })

    test('has an order carried by a courier of its fleet', async () => {
      rider = await joinFleet({ system, anyone: new Api(system.baseUrl), operator, live }, 'Bola Carries', 0.002)
      const customer_phone = newPhone()
      delivered = await merchant.place(placed({}, { customer_phone }))
      await merchant.assign(delivered, rider.id)
      await deliver(rider, delivered, customer_phone)
    })

    test('cancels another that the courier had, and has again what was held for it', async () => {
      cancelled = await merchant.place(placed())
      await merchant.assign(cancelled, rider.id)
      await eventually(async () => (await merchant.statement()).wallet.held_minor === COMMISSION_MINOR, PATIENTLY)
      await merchant.cancel(cancelled)
      await eventually(async () => (await merchant.statement()).wallet.held_minor === 0, PATIENTLY)
    })

    test('is told of both, signed, and reads the same in the log', async () => {
      for (const [orderId, last] of [
        [delivered, 'order.delivered'],
        [cancelled, 'order.status_updated'],
      ] as const) {
        const logged = await eventually(async () => {
          const events = await merchant.eventsOf(orderId)
          return events.includes(last) && events
        }, PATIENTLY)
        expect(logged[0]).toBe('order.created')
        expect(logged).toContain('order.rider_assigned')
        const told = await eventually(async () => {
          const { requests } = endpoint
          await Promise.all(requests.map(({ body, headers }) => verifyWebhook(body.toString(), headers, { secret })))
          const envelopes = requests.map(({ body }) => JSON.parse(body.toString()))
          const ofOrder = envelopes.filter(({ order }) => order?.id === orderId)
          return ofOrder.length >= logged.length && ofOrder
        }, PATIENTLY)
        const inOrder = told.toSorted((a, b) => a.sequence - b.sequence)
        expect(inOrder.map(({ event }) => event)).toEqual(logged)
      }
    })

    test('reads on its statement what was paid, and what came back', async () => {
      const { wallet, ledger_transactions: entries } = await merchant.statement()
      expect(wallet).toMatchObject({ available_minor: MONEY_MINOR - COMMISSION_MINOR, held_minor: 0 })
      const of = (orderId: string | null) =>
        entries
          .filter(({ order_id }) => order_id === orderId)
          .map(({ entry_type, direction, amount_minor }) => [entry_type, direction, amount_minor])
      // Newest first.
      expect(of(cancelled)).toEqual([
        ['commission_released', 'credit', COMMISSION_MINOR],
        ['commission_hold', 'debit', COMMISSION_MINOR],
      ])
      expect(of(null)).toEqual([['topup', 'credit', MONEY_MINOR]])
      const paid = entries.filter(({ order_id }) => order_id === delivered)
      const sum = paid.reduce((all, one) => all + (one.direction === 'debit' ? one.amount_minor : -one.amount_minor), 0)
      expect(sum).toBe(COMMISSION_MINOR)
    })

    /** The rider's part: accepted, picked up, and handed over to who knows the code. */
    async function deliver({ api }: TestRider, orderId: string, phone: string): Promise<void> {
      const path = `/v1/riders/me/orders/${orderId}`
      for (const status of ['accepted', 'picked_up']) answered(200, await api.post(`${path}/status`, { status }))
      answered(200, await api.post(`${path}/pod-otp/request`))
      answered(200, await api.post(`${path}/pod-otp/verify`, { code: await codeSentTo(system, phone) }))
    }
  })
}
