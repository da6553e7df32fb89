import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import type { Caller } from '@svc/grpc'
import { eventually, merchantCaller, type Receiver, type Respond, receiver } from '@svc/testing'
import { startWebhook, type TestWebhook } from './start-webhook.ts'

let service: TestWebhook
let clockMs = 0
const receivers: Receiver[] = []

beforeAll(async () => {
  // Fewer slots than one hanging merchant has deliveries.
  service = await startWebhook({ DELIVERY_CONCURRENCY: '8' })
})
afterAll(() => service?.stop())
afterEach(async () => {
  await Promise.all(receivers.splice(0).map((each) => each.close()))
})

async function merchant(respond?: Respond): Promise<{ caller: Caller; merchantId: string; target: Receiver }> {
  const caller = merchantCaller()
  const target = await receiver({ respond })
  receivers.push(target)
  await service.patch(caller, { url: target.url, enabled: true })
  return { caller, merchantId: caller.merchantId as string, target }
}

const announceMany = (merchantId: string, count: number) =>
  service.announce(...Array.from({ length: count }, () => ({ merchantId })))

describe('one merchant among others', () => {
  test('whose receiver hangs has five attempts in flight, and delays nobody else', async () => {
    const hanging = await merchant(() => new Promise(() => {}))
    await announceMany(hanging.merchantId, 50)
    await eventually(() => hanging.target.requests.length === 5)
    // Before an attempt is given up, after 12 s: in whichever round the machine is quick enough to show it.
    await eventually(async () => {
      const before = hanging.target.requests.length
      expect(before % 5).toBe(0)
      const other = await merchant()
      await announceMany(other.merchantId, 100)
      await eventually(() => other.target.requests.length === 100)
      expect(hanging.target.requests).toHaveLength(before)
    })
  })

  test('whose receiver fails twenty times in a row is probed once per 30 s, and skips are no attempts', async () => {
    const failing = await merchant(() => ({ status: 500 }))
    await announceMany(failing.merchantId, 30)
    const failures = async () => {
      const [lane] = await service.sql<{ consecutive_failures: number }>(
        'SELECT consecutive_failures FROM lane WHERE merchant_id = $1',
        [failing.merchantId],
      )
      return lane?.consecutive_failures ?? 0
    }
    await eventually(async () => (await failures()) >= 20)
    const probe = async (expected: number) => {
      clockMs += 30_000
      await service.database.shiftClock(clockMs)
      await eventually(async () => (await failures()) === expected)
      // A full round for another merchant: had the lane been open, its claim would have come first.
      const other = await merchant()
      await announceMany(other.merchantId, 3)
      await eventually(() => other.target.requests.length === 3)
      expect(await failures()).toBe(expected)
    }
    const before = await failures()
    await probe(before + 1)
    await probe(before + 2)
    expect(failing.target.requests).toHaveLength(before + 2)
    const [row] = await service.sql<{ attempts: string }>(
      'SELECT sum(attempts) AS attempts FROM delivery WHERE merchant_id = $1',
      [failing.merchantId],
    )
    expect(row?.attempts).toBe(String(before + 2))
    failing.target.respond(() => ({ status: 200 }))
    clockMs += 600_000
    await service.database.shiftClock(clockMs)
    await eventually(async () => {
      const { total } = await service.delivery
        .as(failing.caller)
        .listDeliveries({ limit: 0, offset: 0, status: 'succeeded' })
      return total === 30
    })
  })

  test('with a large backlog does not hold up one with a single event', async () => {
    const large = await merchant()
    const small = await merchant()
    await announceMany(large.merchantId, 400)
    await service.announce({ merchantId: small.merchantId, orderId: randomUUID() })
    await small.target.waitFor(() => true)
    await eventually(() => large.target.requests.length === 400)
  })
})
