import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import type { Database } from '@svc/database'
import type { Caller } from '@svc/grpc'
import type { Worker } from '@svc/lifecycle'
import { eventually, merchantCaller, type Receiver, receiver } from '@svc/testing'
import { readConfig } from '../src/config.ts'
import { replaceFaults } from '../src/db/webhook-faults.ts'
import { deliveryWorker } from '../src/workers/delivery-worker.ts'
import { startWebhook, type TestWebhook } from './start-webhook.ts'

const LEASE_MS = 500

/** It delivers nothing by itself: the replicas are the test's own. */
let service: TestWebhook
beforeAll(async () => {
  service = await startWebhook({ OUTBOUND_WEBHOOKS_ENABLED: 'false' })
})
afterAll(() => service?.stop())

let former: Receiver
let present: Receiver
beforeEach(async () => {
  former = await receiver()
  present = await receiver()
})
const replicas: Worker[] = []
afterEach(async () => {
  await Promise.all(replicas.splice(0).map((one) => one.stop()))
  await Promise.all([former.close(), present.close()])
})

async function replica(settings: { deliveryLease?: number; deliveryConcurrency?: number }, database?: Database) {
  const { secretBox, http, database: own } = service.context
  const config = { ...readConfig(service.env), outboundWebhooksEnabled: true, ...settings }
  const started = deliveryWorker({ config, database: database ?? own, secretBox, http })
  await started.start()
  replicas.push(started)
  return started
}

/** A merchant whose one delivery is due at the former URL. */
async function due(isTest: boolean): Promise<{ caller: Caller; merchantId: string; id: string }> {
  const caller = merchantCaller({ isTest })
  const merchantId = caller.merchantId as string
  await service.patch(caller, { url: former.url, enabled: true })
  await service.sql('INSERT INTO lane (merchant_id, is_test, due_at) VALUES ($1, $2, app_now())', [merchantId, isTest])
  const id = randomUUID()
  await service.sql(
    `WITH made AS (
       INSERT INTO delivery (id, merchant_id, is_test, event_id, event, occurred_at, body, next_attempt_at, created_at, to_live)
       VALUES ($1, $2, $3, gen_random_uuid(), 'order.created', app_now(), '', app_now(), app_now(), NOT $3))
     INSERT INTO queued_delivery (delivery_id, merchant_id, is_test, claimable_at) VALUES ($1, $2, $3, app_now())`,
    [id, merchantId, isTest],
  )
  return { caller, merchantId, id }
}

const leaseEnds = (id: string) =>
  eventually(async () => {
    const ended = await service.sql('SELECT FROM queued_delivery WHERE delivery_id = $1 AND lease_until <= app_now()', [
      id,
    ])
    return ended.length === 1
  })

const succeeds = (id: string) =>
  eventually(async () => {
    const done = await service.sql("SELECT FROM delivery WHERE id = $1 AND status = 'succeeded'", [id])
    return done.length === 1
  })

/** A database whose first claim is answered when the test says so. */
function holdingBack() {
  const { worker } = service.context.database
  const claimed = Promise.withResolvers<void>()
  const held = Promise.withResolvers<void>()
  const query = async (statement: { name?: string }, ...values: unknown[]) => {
    const answer = await (worker.query as (...all: unknown[]) => Promise<{ rows: unknown[] }>).call(
      worker,
      statement,
      ...values,
    )
    if (statement.name === 'claim_deliveries' && answer.rows.length > 0) {
      claimed.resolve()
      await held.promise
    }
    return answer
  }
  return { database: { worker: { query } } as unknown as Database, claimed: claimed.promise, letGo: held.resolve }
}

describe('a replica that is held up until its lease has ended', () => {
  test.each([
    ['live', false],
    ['the sandbox', true],
  ])('sends nothing of %s: the delivery goes out once, to the URL of by then', async (_environment, isTest) => {
    const { caller, id } = await due(isTest)
    const { database, claimed, letGo } = holdingBack()
    const frozen = await replica({ deliveryLease: LEASE_MS }, database)
    await claimed
    await service.patch(caller, { url: present.url })
    await leaseEnds(id)
    await replica({})
    await succeeds(id)
    letGo()
    await frozen.stop()
    expect([former.requests.length, present.requests.length]).toEqual([0, 1])
  })

  test('by the answer to the first request of a duplicate sends no second one there', async () => {
    const { caller, merchantId, id } = await due(true)
    const fault = { kind: 'duplicate', events: [], count: 1, delayMs: 0 } as const
    await service.context.transact('every tenant', (tx) => replaceFaults(tx, merchantId, [fault]))
    const answered = Promise.withResolvers<void>()
    former.respond(async () => {
      await answered.promise
      return { status: 200 }
    })
    const frozen = await replica({ deliveryLease: LEASE_MS, deliveryConcurrency: 1 })
    await former.waitFor(() => true)
    await service.patch(caller, { url: present.url })
    await leaseEnds(id)
    answered.resolve()
    await frozen.stop()
    await replica({})
    await succeeds(id)
    expect(former.requests).toHaveLength(1)
  })
})
