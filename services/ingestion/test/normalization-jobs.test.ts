import { randomInt, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { AuditRecorded } from '@svc/contracts/common/v1/audit'
import {
  NormalizationServiceService,
  type PreviewNormalizationRequest,
} from '@svc/contracts/ingestion/v1/normalization_service'
import { adminCaller, eventually, merchantCaller, testClient } from '@svc/testing'
import { type IntakeMesh, intakeMesh, type Shop } from './intake-mesh.ts'

let mesh: IntakeMesh
let shop: Shop
const deaths = new Set<string>()
let normalization: ReturnType<typeof testClient<typeof NormalizationServiceService>>
beforeAll(async () => {
  // The process dies at the moment that a test has named; its lease stays behind.
  const failpoint = (name: string) => {
    if (deaths.delete(name)) throw new Error(`died when ${name}`)
  }
  mesh = await intakeMesh({ NORMALIZATION_MAX_ATTEMPTS: '2' }, { failpoint })
  shop = await mesh.shop()
  normalization = testClient(NormalizationServiceService, {
    address: mesh.ingestion.service.address(),
    to: 'ingestion',
  })
})
afterAll(async () => {
  normalization.close()
  await mesh.stop()
})

const operator = () => normalization.as(adminCaller())
const newId = () => randomInt(1, 2 ** 47)

const orderBody = (id: number, changes: Record<string, unknown> = {}) =>
  JSON.stringify({
    id,
    updated_at: '2026-11-20T10:00:00Z',
    financial_status: 'paid',
    line_items: [{ title: 'Jollof rice', quantity: 1 }],
    shipping_address: { address1: '4 Admiralty Way', city: 'Lekki', phone: '+2348031234567' },
    ...changes,
  })

const ordersUnder = async (id: number) =>
  (await mesh.ordersOf(shop.merchantId)).filter(({ external_order_id }) => external_order_id === String(id))

/** Whoever held the job is long gone. */
const leaseEnds = (id: string) =>
  mesh.ingestion.sql(
    `UPDATE normalization_jobs SET lease_until = now() - interval '1 minute' WHERE id = $1 AND lease IS NOT NULL`,
    [id],
  )

describe('a process that dies', () => {
  test.each(['job claimed', 'order made', 'order answered'])(
    'when %s leaves one order, made or found by the next',
    async (moment) => {
      const id = newId()
      deaths.add(moment)
      const { id: hook } = await mesh.storefrontA(shop, { body: orderBody(id) })
      await eventually(() => !deaths.has(moment))
      await leaseEnds(hook!)
      expect(await mesh.judged(hook)).toMatchObject({ status: 'succeeded' })
      expect(await ordersUnder(id)).toHaveLength(1)
      expect(await mesh.ingestion.stateOf(hook!)).toBe('applied')
    },
  )
})

test('a job at which each process dies ends as a dead letter, without another word to order, and can be begun anew', async () => {
  const id = newId()
  deaths.add('job claimed')
  const { id: hook } = await mesh.storefrontA(shop, { body: orderBody(id) })
  await eventually(() => !deaths.has('job claimed'))
  deaths.add('job claimed')
  await leaseEnds(hook!)
  await eventually(() => !deaths.has('job claimed'))
  await leaseEnds(hook!)
  expect(await mesh.judged(hook)).toMatchObject({ status: 'failed', error: 'attempts_exhausted' })
  expect(await mesh.ingestion.stateOf(hook!)).toBe('dead')
  expect(await ordersUnder(id)).toEqual([])
  await operator().retryNormalizationJob({ id: hook! })
  expect(await mesh.judged(hook)).toMatchObject({ status: 'succeeded', attempts: 1 })
  expect(await ordersUnder(id)).toHaveLength(1)
})

describe('operators', () => {
  test('see what became of each hook, by merchant and by status', async () => {
    const own = await mesh.shop()
    const { id: made } = await mesh.storefrontA(own, { body: orderBody(newId()) })
    const { id: failed } = await mesh.storefrontA(own, {
      body: orderBody(newId(), { shipping_address: { phone: '1' } }),
    })
    await mesh.judged(made)
    await mesh.judged(failed)
    const list = (status?: string) =>
      operator().listNormalizationJobs({ limit: 0, offset: 0, merchant_id: own.merchantId, status })
    expect(await list()).toMatchObject({ total: 2, limit: 50, offset: 0 })
    expect((await list('succeeded')).items).toMatchObject([{ id: made, order_id: expect.any(String), attempts: 1 }])
    expect((await list('failed')).items).toMatchObject([{ id: failed, error: 'missing_address', order_id: undefined }])
    expect((await list('pending')).items).toEqual([])
    await expect(list('finished')).rejects.toMatchObject({ code: 'validation_error', details: { field: 'status' } })
  })

  test('begin a failed job anew, which is audited, and none that has succeeded', async () => {
    const own = await mesh.shop()
    await mesh.put(own, 'storefront-a', { clear_fields: ['pickup'] })
    const { id } = await mesh.storefrontA(own, { body: orderBody(newId()) })
    expect(await mesh.judged(id)).toMatchObject({ status: 'failed', error: 'pickup_not_configured' })
    await mesh.put(own, 'storefront-a', { pickup: { address: '12 Marina Road, Lagos' } })
    const { normalization_job: begun } = await operator().retryNormalizationJob({ id: id! })
    expect(begun).toMatchObject({ id, status: 'pending' })
    expect(await mesh.judged(id)).toMatchObject({ status: 'succeeded' })
    await expect(operator().retryNormalizationJob({ id: id! })).rejects.toMatchObject({ code: 'already_succeeded' })
    await expect(operator().retryNormalizationJob({ id: randomUUID() })).rejects.toMatchObject({ code: 'not_found' })
    const rows = await mesh.ingestion.sql<{ payload: Buffer }>(
      `SELECT payload FROM outbox WHERE type = 'audit.recorded' ORDER BY seq`,
    )
    const audits = rows
      .map(({ payload }) => AuditRecorded.decode(payload))
      .filter(({ resource_id }) => resource_id === id)
    expect(audits).toMatchObject([{ action: 'normalization_job.retry', merchant_id: own.merchantId }])
  })

  test('lack nothing but the permission, without which they are refused', async () => {
    const plain = normalization.as(adminCaller({ permissions: ['admin.ingestion.read'] }))
    const refused = { code: 'forbidden' }
    await expect(plain.listNormalizationJobs({ limit: 0, offset: 0 })).rejects.toMatchObject(refused)
    await expect(plain.retryNormalizationJob({ id: randomUUID() })).rejects.toMatchObject(refused)
    const merchant = normalization.as(merchantCaller({ isTest: false }))
    await expect(merchant.listNormalizationJobs({ limit: 0, offset: 0 })).rejects.toMatchObject(refused)
  })
})

describe('a preview', () => {
  const preview = (payload: string, changes: Partial<PreviewNormalizationRequest> = {}) =>
    operator().previewNormalization({
      channel: 'storefront-a',
      merchant_id: shop.merchantId,
      payload: Buffer.from(payload),
      topic: 'orders/create',
      ...changes,
    })

  test('says what a hook would come to, by the settings of its merchant, and leaves nothing', async () => {
    const count = () => mesh.ingestion.sql('SELECT (SELECT count(*) FROM inbound_hooks) AS hooks')
    const before = await count()
    const id = newId()
    const said = await preview(orderBody(id))
    expect(said).toMatchObject({
      outcome: 'order',
      external_order_id: String(id),
      payment_verified: true,
      is_test: false,
    })
    expect(JSON.parse(said.standardized_json!)).toMatchObject({
      pickup_address: '12 Marina Road, Lagos',
      dropoff_address: '4 Admiralty Way, Lekki',
    })
    expect(await preview(orderBody(id, { cancelled_at: '2026-11-20T10:00:00Z' }))).toMatchObject({ outcome: 'cancel' })
    expect(await preview(orderBody(id, { financial_status: 'voided' }))).toMatchObject({ outcome: 'update' })
    expect(await preview(orderBody(id, { shipping_address: null }))).toMatchObject({
      outcome: 'ignored',
      reason: 'no_shipping',
    })
    expect(await preview('{"id":')).toMatchObject({ outcome: 'dead_letter', reason: 'unreadable' })
    expect(await preview('{"id":1}', { topic: 'products/create' })).toMatchObject({ outcome: 'ignored' })
    expect(await count()).toEqual(before)
    expect(await ordersUnder(id)).toEqual([])
  })

  test('is of a channel that tells of orders, and of a merchant that there is', async () => {
    await expect(preview('{}', { channel: 'messaging-a' })).rejects.toMatchObject({
      code: 'validation_error',
      details: { field: 'channel' },
    })
    await expect(preview('{}', { merchant_id: randomUUID() })).rejects.toMatchObject({ code: 'not_found' })
  })
})
