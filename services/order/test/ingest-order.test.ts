import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type { IngestedKey, IngestOrderRequest } from '@svc/contracts/order/v1/intake_service'
import { systemCaller } from '@svc/grpc'
import { merchantCaller, onceAvailable } from '@svc/testing'
import { creation, type OrderMesh, orderMesh, standardized } from './order-mesh.ts'

let mesh: OrderMesh
beforeAll(async () => {
  mesh = await orderMesh({ REQUIRE_KYB_FOR_ORDERS: 'true' })
})
afterAll(() => mesh.stop())

const keyOf = (changes: Partial<IngestedKey> = {}): IngestedKey => ({
  merchant_id: randomUUID(),
  is_test: false,
  source: 'storefront-a',
  external_order_id: randomUUID(),
  ...changes,
})

const ingestion = (key: IngestedKey, changes: Partial<IngestOrderRequest> = {}): IngestOrderRequest => ({
  key,
  raw_payload_json: '{"id":820982911946154508}',
  standardized_json: JSON.stringify(standardized()),
  payment_verified: false,
  billing_status: 'active',
  kyb_status: 'verified',
  business_approval_status: 'approved',
  ...changes,
})

const read = async (key: IngestedKey, id: string) => {
  const owner = merchantCaller({ merchantId: key.merchant_id, isTest: key.is_test ?? null })
  return (await mesh.orders(owner).getOrder({ id })).order!
}

describe('an order that a hook tells of', () => {
  test('is stored digit for digit, paid where it is paid, and announced so', async () => {
    const key = keyOf()
    const made = await mesh.intake().ingestOrder(ingestion(key, { payment_verified: true }))
    expect(made).toMatchObject({ idempotent: false, status: 'pending', payment_verified: true })
    const order = await read(key, made.order_id)
    expect(order).toMatchObject({ source: 'storefront-a', payment_verified: true, is_test: false })
    expect(order.unified_json).toContain('"raw_payload":{"id":820982911946154508}')
    expect(JSON.parse(order.unified_json)).toMatchObject({ payment_verified: true })
    const facts = await mesh.facts(made.order_id)
    expect(facts.map(({ type }) => type)).toEqual(['order.created'])
    expect(facts[0]?.fact.order?.payment_verified).toBe(true)
  })

  test('is one order, though fifty hooks tell of it at once and each says something else', async () => {
    const key = keyOf()
    const made = await Promise.all(
      Array.from({ length: 50 }, (_, n) =>
        onceAvailable(() =>
          mesh.intake().ingestOrder(ingestion(key, { raw_payload_json: `{"n":${n}}`, payment_verified: n % 2 === 0 })),
        ),
      ),
    )
    expect(new Set(made.map(({ order_id }) => order_id)).size).toBe(1)
    expect(made.filter(({ idempotent }) => !idempotent)).toHaveLength(1)
  })

  test('is never the order that its merchant made by the API under the same key, nor the other way round', async () => {
    const key = keyOf({ is_test: true })
    const owner = merchantCaller({ merchantId: key.merchant_id })
    const { source, external_order_id } = key
    await mesh.orders(owner).createOrder(creation({ source, external_order_id }))
    const refused = { code: 'duplicate_order' }
    await expect(mesh.intake().ingestOrder(ingestion(key))).rejects.toMatchObject(refused)
    await expect(mesh.intake().updateIngestedOrder({ key, payment_verified: true })).rejects.toMatchObject(refused)
    await expect(mesh.intake().cancelIngestedOrder({ key, reason: 'voided' })).rejects.toMatchObject(refused)

    const other = keyOf({ is_test: true, merchant_id: key.merchant_id })
    await mesh.intake().ingestOrder(ingestion(other))
    const asked = mesh.orders(owner).createOrder(creation({ source, external_order_id: other.external_order_id }))
    await expect(asked).rejects.toMatchObject(refused)
  })

  test('is refused where its merchant may not trade live, and by what its record lacks', async () => {
    const unverified = ingestion(keyOf(), { kyb_status: 'pending_review' })
    await expect(mesh.intake().ingestOrder(unverified)).rejects.toMatchObject({ code: 'kyb_required' })
    const blocked = ingestion(keyOf(), { billing_status: 'past_due' })
    await expect(mesh.intake().ingestOrder(blocked)).rejects.toMatchObject({ code: 'billing_blocked' })
    const nowhere = ingestion(keyOf(), { standardized_json: JSON.stringify(standardized({ dropoff_address: '' })) })
    await expect(mesh.intake().ingestOrder(nowhere)).rejects.toMatchObject({
      code: 'validation_error',
      details: { field: 'standardized.dropoff_address' },
    })
  })

  test('is taken from no other service, and from no person', async () => {
    const key = keyOf()
    for (const caller of [systemCaller('dispatch'), merchantCaller({ merchantId: key.merchant_id })])
      await expect(mesh.intake(caller).ingestOrder(ingestion(key))).rejects.toMatchObject({ code: 'forbidden' })
  })
})

describe('a later hook', () => {
  test('marks the payment, in whichever environment the order is', async () => {
    const key = keyOf({ is_test: true })
    const { order_id } = await mesh.intake().ingestOrder(ingestion(key))
    await mesh.intake().updateIngestedOrder({ key: { ...key, is_test: undefined }, payment_verified: true })
    expect(await read(key, order_id)).toMatchObject({ payment_verified: true, status: 'pending' })
  })

  test('cancels, once, and what has been delivered never', async () => {
    const key = keyOf()
    const { order_id } = await mesh.intake().ingestOrder(ingestion(key))
    const cancelled = await mesh.intake().cancelIngestedOrder({ key, reason: 'cancelled at the storefront' })
    expect(cancelled).toEqual({ order_id, already_cancelled: false })
    expect(JSON.parse((await read(key, order_id)).unified_json).cancellation).toMatchObject({
      actor_type: 'provider',
      actor_id: 'storefront-a',
      reason: 'cancelled at the storefront',
    })
    const again = await mesh.intake().cancelIngestedOrder({ key, reason: 'cancelled at the storefront' })
    expect(again).toEqual({ order_id, already_cancelled: true })

    const late = keyOf({ is_test: true })
    const { order_id: delivered } = await mesh.intake().ingestOrder(ingestion(late))
    const owner = merchantCaller({ merchantId: late.merchant_id })
    await mesh.orders(owner).updateOrder({ id: delivered, status: 'delivered' })
    await expect(mesh.intake().cancelIngestedOrder({ key: late, reason: 'voided' })).rejects.toMatchObject({
      code: 'cannot_cancel',
    })
  })

  test('of an order that nobody made, or of another merchant, finds nothing', async () => {
    const key = keyOf()
    await mesh.intake().ingestOrder(ingestion(key))
    const stranger = { ...key, merchant_id: randomUUID() }
    await expect(mesh.intake().cancelIngestedOrder({ key: stranger, reason: 'x' })).rejects.toMatchObject({
      code: 'not_found',
    })
    await expect(mesh.intake().updateIngestedOrder({ key: stranger, payment_verified: true })).rejects.toMatchObject({
      code: 'not_found',
    })
  })
})
