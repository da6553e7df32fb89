import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { type Transact, withIdempotency } from '@svc/transact'
import { merchantId, parcelService, tenant } from './parcel-service.ts'

let service: Awaited<ReturnType<typeof parcelService>>
let transact: Transact
beforeAll(async () => {
  service = await parcelService()
  transact = service.transact
})
afterAll(() => service?.close())

const hash = (text: string) => Buffer.from(text.padEnd(32))

async function placeParcel(key: string, requestHash = hash('one'), fail?: Error) {
  return transact(tenant, (tx) =>
    withIdempotency(tx, tenant, 'POST /parcels', { key, request_hash: requestHash }, async () => {
      const id = randomUUID()
      await tx.sql('INSERT INTO parcel VALUES ($1, $2, 1)', [id, merchantId])
      if (fail) throw fail
      return { reply: Buffer.from(id), resourceId: id }
    }),
  )
}

const parcels = async () =>
  (await service.database.worker.query<{ n: number }>('SELECT count(*) AS n FROM parcel')).rows[0]!.n

describe('an idempotency key', () => {
  test('gives 50 concurrent twins one effect and one reply', async () => {
    const before = await parcels()
    const replies = await Promise.all(Array.from({ length: 50 }, () => placeParcel('twins')))
    expect(await parcels()).toBe(before + 1)
    expect(new Set(replies.map(({ reply }) => Buffer.from(reply).toString())).size).toBe(1)
    expect(replies.filter(({ replayed }) => !replayed)).toHaveLength(1)
  })

  test('refuses a different request', async () => {
    await placeParcel('conflict')
    await expect(placeParcel('conflict', hash('two'))).rejects.toMatchObject({ code: 'idempotency_conflict' })
  })

  test('stores no refusal: the same key works once the cause is cured', async () => {
    await expect(placeParcel('refused', hash('one'), new Error('no funds'))).rejects.toThrow('no funds')
    expect(await placeParcel('refused')).toMatchObject({ replayed: false })
  })

  test('of one merchant and environment means nothing to another', async () => {
    const first = await placeParcel('mine')
    const sandbox = { merchantId, isTest: true }
    const other = await transact(sandbox, (tx) =>
      withIdempotency(tx, sandbox, 'POST /parcels', { key: 'mine', request_hash: hash('two') }, async () => ({
        reply: Buffer.from('sandbox'),
      })),
    )
    expect(other.replayed).toBe(false)
    expect(first.replayed).toBe(false)
  })

  test('is forgotten after 24 hours', async () => {
    const first = await placeParcel('daily')
    await service.dev.shiftClock(24 * 3_600_000 + 1_000)
    const next = await placeParcel('daily', hash('another day'))
    await service.dev.shiftClock(0)
    expect(next.replayed).toBe(false)
    expect(next.reply).not.toEqual(first.reply)
  })

  test('whose first request is still running answers idempotency_in_progress', async () => {
    let finish = () => {}
    const isRunning = Promise.withResolvers<void>()
    const first = transact(tenant, (tx) =>
      withIdempotency(tx, tenant, 'POST /parcels', { key: 'slow', request_hash: hash('one') }, async () => {
        isRunning.resolve()
        await new Promise<void>((resolve) => {
          finish = resolve
        })
        return { reply: Buffer.from('done') }
      }),
    )
    await isRunning.promise
    await expect(placeParcel('slow')).rejects.toMatchObject({ code: 'idempotency_in_progress', retryAfterSeconds: 1 })
    finish()
    expect((await first).replayed).toBe(false)
  })
})
