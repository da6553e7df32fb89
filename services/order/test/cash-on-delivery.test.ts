import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { CashServiceService } from '@svc/contracts/wallet/v1/cash_service'
import { SANDBOX_RIDER } from '@svc/credentials'
import type { Caller } from '@svc/grpc'
import { eventually, merchantCaller, riderCaller, testClient } from '@svc/testing'
import { expectLedgerHolds } from '../../wallet/test/ledger-invariants.ts'
import { merchantOwner } from '../../wallet/test/start-wallet.ts'
import { acceptance, creation, summary } from './order-mesh.ts'
import { settlementMesh } from './settlement-mesh.ts'

let mesh: Awaited<ReturnType<typeof settlementMesh>>
let cash: ReturnType<typeof testClient<typeof CashServiceService>>
beforeAll(async () => {
  mesh = await settlementMesh()
  cash = testClient(CashServiceService, { address: mesh.wallet.service.address(), to: 'wallet' })
})
afterAll(async () => {
  await expectLedgerHolds(mesh.wallet.sql)
  cash.close()
  await mesh.stop()
})

/** An order with that much to collect, which its rider has on board. */
async function onBoard(wanted: Record<string, unknown>, riderId = randomUUID(), merchant?: Caller) {
  const owner = merchant ?? (await mesh.merchant(100_000))
  const { order } = await mesh.orders(owner).createOrder(creation({}, wanted))
  const id = order?.id ?? ''
  await mesh.fulfilment().commitAssignment(acceptance(id, summary(riderId)))
  const rider = riderCaller(riderId)
  const say = (status: string, more: Record<string, unknown> = {}) =>
    mesh.fulfilment(rider).updateRiderOrderStatus({ order_id: id, status, ...more })
  await say('picked_up')
  return { id, merchant: owner, rider, say }
}

const inHand = async (rider: Caller) => (await cash.as(rider).getRiderCash({ limit: 0, offset: 0 })).items
const codOf = async (merchant: Caller, id: string) =>
  JSON.parse((await mesh.orders(merchant).getOrder({ id })).order!.unified_json).cod

describe('cash on delivery', () => {
  test('that a rider delivers for is in its hands, once, however often it is told and however it is said', async () => {
    const { id, merchant, rider, say } = await onBoard({ cod_amount_minor: 12_500, cod_currency: 'ngn' })
    await Promise.all([1, 2, 3].map(() => say('delivered', { cod_collected_minor: 12_500 })))
    await say('delivered')
    await eventually(async () =>
      expect(await inHand(rider)).toMatchObject([
        {
          rider_id: rider.actor.id,
          merchant_id: merchant.merchantId,
          currency: 'NGN',
          in_hand_minor: 12_500,
          collected_minor: 12_500,
          remitted_minor: 0,
        },
      ]),
    )
    expect(await codOf(merchant, id)).toMatchObject({
      status: 'collected',
      expected_minor: 12_500,
      collected_minor: 12_500,
      rider_id: rider.actor.id,
    })
  })

  test('is all of it where the rider says nothing of it, and is no part of what the rider earns', async () => {
    const { id, rider, say } = await onBoard({ cod_amount_minor: 900 })
    await say('delivered')
    await eventually(async () => expect(await inHand(rider)).toMatchObject([{ in_hand_minor: 900, currency: 'NGN' }]))
    const earned = await mesh.wallet.sql(
      `SELECT l.amount_minor FROM ledger_lines l JOIN accounts a ON a.id = l.account_id
        WHERE a.owner_kind = 'rider' AND a.owner_id = $1 AND l.order_id = $2`,
      [rider.actor.id, id],
    )
    expect(earned).toEqual([{ amount_minor: 5_000 }])
  })

  test('paid in part takes a reason and is told as short', async () => {
    const { id, merchant, rider, say } = await onBoard({ cod_amount_minor: 1_000 })
    await expect(say('delivered', { cod_collected_minor: 600 })).rejects.toMatchObject({
      code: 'validation_error',
      details: { field: 'cod_reason', rule: 'required' },
    })
    expect((await mesh.orders(merchant).getOrder({ id })).order?.status).toBe('picked_up')
    await say('delivered', { cod_collected_minor: 600, cod_reason: 'one item was broken' })
    await eventually(async () => expect(await inHand(rider)).toMatchObject([{ in_hand_minor: 600 }]))
    expect(await codOf(merchant, id)).toMatchObject({ status: 'short', reason: 'one item was broken' })
    await expect(say('delivered', { cod_collected_minor: 1_000 })).rejects.toMatchObject({ code: 'invalid_state' })
    expect(await inHand(rider)).toMatchObject([{ in_hand_minor: 600 }])
  })

  test('that the customer refuses to pay sends the goods back, moves nothing, and the fact says so', async () => {
    const { id, merchant, rider, say } = await onBoard({ cod_amount_minor: 1_000 })
    await expect(say('delivered', { cod_collected_minor: 0, cod_reason: 'no money' })).rejects.toMatchObject({
      code: 'validation_error',
      details: { field: 'cod_collected_minor', rule: 'min' },
    })
    const { order } = await say('returned_to_merchant', { cod_collected_minor: 0, reason: 'customer refused to pay' })
    expect(order?.status).toBe('returned_to_merchant')
    expect(await codOf(merchant, id)).toMatchObject({
      status: 'refused',
      collected_minor: 0,
      reason: 'customer refused to pay',
    })
    const told = (await mesh.facts(id)).at(-1)!.fact.order!
    expect(JSON.parse(told.unified_json).cod).toMatchObject({ status: 'refused' })
    expect(await inHand(rider)).toEqual([])
  })

  test('that comes back for another reason says nothing of cash', async () => {
    const { id, merchant, say } = await onBoard({ cod_amount_minor: 1_000 })
    await say('returned_to_merchant', { reason: 'nobody at home' })
    expect(await codOf(merchant, id)).toBeUndefined()
  })

  test.each<[string, Record<string, unknown>, string, Record<string, unknown>, string, string]>([
    [
      'more than asked for',
      { cod_amount_minor: 100 },
      'delivered',
      { cod_collected_minor: 101 },
      'cod_collected_minor',
      'max',
    ],
    [
      'less than nothing',
      { cod_amount_minor: 100 },
      'delivered',
      { cod_collected_minor: -1 },
      'cod_collected_minor',
      'min',
    ],
    ['of an order without cash', {}, 'delivered', { cod_collected_minor: 5 }, 'cod_collected_minor', 'unexpected'],
    ['a reason of an order without cash', {}, 'delivered', { cod_reason: 'x' }, 'cod_reason', 'unexpected'],
    [
      'with a status on the way',
      { cod_amount_minor: 100 },
      'in_transit',
      { cod_collected_minor: 100 },
      'cod_collected_minor',
      'unexpected',
    ],
    [
      'with goods that come back',
      { cod_amount_minor: 100 },
      'returned_to_merchant',
      { cod_collected_minor: 50, reason: 'half' },
      'cod_collected_minor',
      'max',
    ],
  ])(
    '%s is refused by the name of the field, and nothing happened',
    async (_name, wanted, status, said, field, rule) => {
      const { id, merchant, rider, say } = await onBoard(wanted)
      await expect(say(status, said)).rejects.toMatchObject({ code: 'validation_error', details: { field, rule } })
      expect((await mesh.orders(merchant).getOrder({ id })).order?.status).toBe('picked_up')
      expect(await inHand(rider)).toEqual([])
    },
  )

  test('is booked once where the wallet takes it unheard, cannot be reached or the process dies in between', async () => {
    const { id, rider, say } = await onBoard({ cod_amount_minor: 700 })
    mesh.line.fail('collectCash', 'unreachable', 'reply lost')
    mesh.death.at('cash collected')
    await say('delivered')
    await eventually(
      async () => {
        const open = await mesh.rows(
          `SELECT FROM intent WHERE kind = 'cash' AND subject_id = $1 AND state = 'pending'`,
          [id],
        )
        expect(open).toEqual([])
      },
      { timeoutMs: 90_000 },
    )
    expect(await inHand(rider)).toMatchObject([{ in_hand_minor: 700, collected_minor: 700 }])
  }, 150_000)

  test('that only the merchant says was delivered is in no rider’s hands, until the rider says so', async () => {
    const { id, merchant, rider, say } = await onBoard({ cod_amount_minor: 400 })
    await mesh.orders(merchant).updateOrder({ id, status: 'delivered' })
    expect(await codOf(merchant, id)).toBeUndefined()
    await say('delivered', { cod_collected_minor: 400 })
    await eventually(async () => expect(await inHand(rider)).toMatchObject([{ in_hand_minor: 400 }]))
  })

  test('of a proof of delivery is taken as the proof says, and a later word of the rider changes nothing', async () => {
    const { id, merchant, rider, say } = await onBoard({ cod_amount_minor: 400 })
    await mesh.fulfilment().recordProofOfDelivery({
      order_id: id,
      rider_id: rider.actor.id,
      op_key: `pod:${randomUUID()}`,
      pod_json: JSON.stringify({ method: 'otp', verified_at: new Date().toISOString() }),
      cod_collected_minor: 300,
      cod_reason: 'short of change',
    })
    await eventually(async () => expect(await inHand(rider)).toMatchObject([{ in_hand_minor: 300 }]))
    await say('delivered')
    expect(await codOf(merchant, id)).toMatchObject({ status: 'short', collected_minor: 300 })
  })

  test('that a proof told of stays as told where the commission was declined: the delivery that follows adds nothing', async () => {
    const poor = await mesh.merchant(50_000)
    const wanted = { cod_amount_minor: 400, delivery_commission_minor: 50_001 }
    const { id, merchant, rider, say } = await onBoard(wanted, randomUUID(), poor)
    const proof = {
      order_id: id,
      rider_id: rider.actor.id,
      op_key: `pod:${randomUUID()}`,
      pod_json: JSON.stringify({ method: 'otp', verified_at: new Date().toISOString() }),
      cod_collected_minor: 300,
      cod_reason: 'short of change',
    }
    const prove = () => mesh.fulfilment().recordProofOfDelivery(proof)
    await expect(prove()).rejects.toMatchObject({ code: 'insufficient_merchant_wallet' })
    expect(await codOf(merchant, id)).toMatchObject({ status: 'short', collected_minor: 300 })
    await expect(prove()).rejects.toMatchObject({ code: 'insufficient_merchant_wallet' })
    await mesh.wallet.fund(merchantOwner(poor.merchantId), 100_000)
    expect((await say('delivered')).order?.status).toBe('delivered')
    expect(await codOf(merchant, id)).toMatchObject({
      status: 'short',
      collected_minor: 300,
      reason: 'short of change',
    })
    await eventually(async () =>
      expect(await inHand(rider)).toMatchObject([{ in_hand_minor: 300, collected_minor: 300 }]),
    )
  })

  test('that was told otherwise while the commission was being paid is as it was told first, and the order is delivered', async () => {
    const { id, merchant, rider, say } = await onBoard({ cod_amount_minor: 400 })
    const first = {
      status: 'short',
      expected_minor: 400,
      collected_minor: 300,
      currency: 'NGN',
      reason: 'short of change',
      rider_id: rider.actor.id,
      at: new Date().toISOString(),
    }
    const settle = async (...asked: Parameters<typeof mesh.line.line.settle>) => {
      await mesh.service.context.database.worker.query(
        `UPDATE orders SET unified_json = jsonb_set(unified_json::jsonb, '{cod}', $2::jsonb) WHERE id = $1`,
        [id, JSON.stringify(first)],
      )
      return mesh.line.line.settle(...asked)
    }
    mesh.line.fail('settle', settle)
    const { order } = await say('delivered', { cod_collected_minor: 400 })
    expect(order?.status).toBe('delivered')
    expect(await codOf(merchant, id)).toEqual(first)
    expect(await mesh.intents(id)).toContainEqual({ kind: 'commission', state: 'applied', attempt: 1 })
  })

  test('of test orders is apart from live cash, and one merchant’s bound sandbox rider sees none of another’s', async () => {
    const merchants = [merchantCaller({ isTest: true }), merchantCaller({ isTest: true })]
    for (const [nth, merchant] of merchants.entries()) {
      const { order } = await mesh.orders(merchant).createOrder(creation({}, { cod_amount_minor: 100 + nth }))
      await mesh.simulator(merchant).simulateRiderAction({ order_id: order!.id, action: 'deliver', strict: false })
    }
    for (const [nth, { merchantId }] of merchants.entries()) {
      const rider = riderCaller(SANDBOX_RIDER.id, { isTest: true, merchantId: merchantId! })
      await eventually(async () =>
        expect(await inHand(rider)).toMatchObject([
          { merchant_id: merchantId, in_hand_minor: 100 + nth, is_test: true },
        ]),
      )
    }
  })
})
