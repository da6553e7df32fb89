import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import type { Caller } from '@svc/grpc'
import { sweep } from '@svc/lifecycle'
import { eventually } from '@svc/testing'
import pg from 'pg'
import { MACHINERY } from '../../../libs/facts/src/machinery.ts'
import { type SettlementMesh, settlementMesh } from './settlement-mesh.ts'

const EARNS = 5_000
const DAY_MS = 86_400_000

let mesh: SettlementMesh
let worker: pg.Pool
let clockMs = 0
beforeAll(async () => {
  mesh = await settlementMesh()
  worker = new pg.Pool({ connectionString: mesh.database.workerUrl, max: 1 })
})
beforeEach(() => mesh.database.shiftClock((clockMs = 0)))
afterAll(async () => {
  await worker?.end()
  await mesh?.stop()
})

const update = (merchant: Caller, id: string, changes: { status?: string; payment_verified?: boolean }) =>
  mesh.orders(merchant).updateOrder({ id, ...changes })
const isEnded = ({ state }: { state: string }) => state !== 'pending' && state !== 'aborting'
const settled = (id: string) => eventually(async () => (await mesh.intents(id)).every(isEnded))

/** Eight days go by, after which nothing tells of the attempts but the order itself. */
async function forgotten(id: string): Promise<void> {
  await settled(id)
  await mesh.database.shiftClock((clockMs += 8 * DAY_MS))
  await sweep(worker, MACHINERY)
  expect(await mesh.intents(id)).toEqual([])
}

describe('when the intents of earlier attempts are swept away', () => {
  const paid = { merchant: 95_000, escrow: 0, rider: EARNS }
  async function heldAndLeft() {
    const merchant = await mesh.merchant(100_000, { require_payment_verified: true })
    const job = await mesh.onBoard(merchant)
    await update(merchant, job.id, { status: 'delivered' })
    await update(merchant, job.id, { status: 'in_transit' })
    await forgotten(job.id)
    return { merchant, ...job, balances: () => mesh.balances(merchant.merchantId, job.riderId) }
  }

  test('an order that is delivered again holds its commission anew, gives it back and pays it in the end', async () => {
    const { merchant, id, balances } = await heldAndLeft()
    const held = { merchant: 95_000, escrow: EARNS, rider: 0 }
    await update(merchant, id, { status: 'delivered' })
    expect(await balances()).toEqual(held)
    await update(merchant, id, { status: 'in_transit' })
    await eventually(async () => expect(await balances()).toEqual({ merchant: 100_000, escrow: 0, rider: 0 }))
    await forgotten(id)
    await update(merchant, id, { status: 'delivered' })
    expect(await balances()).toEqual(held)
    await update(merchant, id, { payment_verified: true })
    await eventually(async () => expect(await balances()).toEqual(paid))
  })

  test('an order that is delivered again on other terms is no repeat of what went before', async () => {
    const { merchant, id, balances } = await heldAndLeft()
    const { order } = await update(merchant, id, { status: 'delivered', payment_verified: true })
    expect(order?.status).toBe('delivered')
    expect(await balances()).toEqual(paid)
  })

  test('a refusal is no answer to whoever asks after a top-up', async () => {
    const merchant = await mesh.merchant(50_000)
    const { id, riderId } = await mesh.onBoard(merchant, { delivery_commission_minor: 50_001 })
    const refused = { code: 'insufficient_merchant_wallet' }
    await expect(update(merchant, id, { status: 'delivered' })).rejects.toMatchObject(refused)
    await forgotten(id)
    await mesh.wallet.fund({ kind: 'merchant', id: merchant.merchantId }, 1)
    expect((await update(merchant, id, { status: 'delivered' })).order?.status).toBe('delivered')
    expect(await mesh.balances(merchant.merchantId, riderId)).toEqual({ merchant: 0, escrow: 0, rider: 50_001 })
  })
})

describe('an attempt whose key the wallet knows for something else', () => {
  test('stays open until it is given up, and the next one pays', async () => {
    const merchant = await mesh.merchant(100_000)
    const { merchantId } = merchant
    const { id, riderId } = await mesh.onBoard(merchant)
    const other = { orderId: id, merchantId, riderId, amountMinor: 9_000_000, currency: 'NGN' }
    await mesh.line.line.settle({ ...other, mode: 'pay', payer: 'merchant' }, 1)
    await expect(update(merchant, id, { status: 'delivered' })).rejects.toMatchObject({ code: 'service_unavailable' })
    expect(await mesh.intents(id)).toEqual([{ kind: 'commission', state: 'pending', attempt: 1 }])
    const script = new URL('../src/commands/abort-settlement.ts', import.meta.url).pathname
    await promisify(execFile)(process.execPath, ['--conditions=source', script, id], {
      env: { ...process.env, ...mesh.environment },
    })
    await settled(id)
    expect(await mesh.intents(id)).toEqual([{ kind: 'commission', state: 'aborted', attempt: 1 }])
    expect((await update(merchant, id, { status: 'delivered' })).order?.status).toBe('delivered')
    expect(await mesh.balances(merchantId, riderId)).toEqual({ merchant: 95_000, escrow: 0, rider: EARNS })
  })
})
