import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, test } from '@jest/globals'
import { eventually, sharedMesh } from '@svc/testing'
import { answered, type SignedUp, signUp } from './merchant.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const guide = readFileSync(resolve(ROOT, 'docs/guides/sandbox.md'), 'utf8')
const system = sharedMesh('journeys')

let merchant: SignedUp
beforeAll(async () => {
  merchant = await signUp(system.baseUrl)
})

const order = async () => {
  const body = {
    external_order_id: randomUUID(),
    pickup_address: '12 Marina Road, Lagos',
    dropoff_address: '4 Admiralty Way, Lekki',
    customer_phone: '08012345678',
  }
  return answered(201, await merchant.owner.post('/v1/test/simulator/orders', body)).body.order_id as string
}

const ended = (orderId: string) =>
  eventually(
    async () => {
      const { body } = answered(200, await merchant.owner.get(`/v1/test/simulator/scenarios/${orderId}`))
      return body.state === 'running' ? null : body
    },
    { message: 'the scenario did not end', timeoutMs: 60_000, intervalMs: 1_000 },
  )

describe('a scenario', () => {
  test.each([
    ['accept', 'accepted'],
    ['decline', 'pending'],
    ['offer_expire', 'pending'],
    ['no_rider', 'pending'],
    ['otp_wrong', 'delivered'],
    ['cancel_after_pickup', 'cancelled'],
    ['cod_refused', 'returned_to_merchant'],
    ['lost', 'lost_in_transit'],
  ])('%s is completed and leaves its order %s', async (scenario, status) => {
    const orderId = await order()
    const asked = { order_id: orderId, scenario, step_delay_ms: 0 }
    const started = answered(201, await merchant.owner.post('/v1/test/simulator/scenarios', asked)).body
    expect(started).toMatchObject({ ok: true, order_id: orderId, is_test: true, scenario, idempotent: false })
    expect(await ended(orderId)).toMatchObject({ state: 'completed' })
    const { body } = answered(200, await merchant.test.get(`/v1/orders/${orderId}`))
    expect(body.order.unified_json.status).toBe(status)
  })

  test('of which nothing is known, or that no order can play, is refused with the field', async () => {
    const orderId = await order()
    for (const [body, field] of [
      [{ order_id: orderId, scenario: 'fly' }, 'scenario'],
      [{ order_id: 'x', scenario: 'lost' }, 'order_id'],
      [{ order_id: orderId, scenario: 'lost', step_delay_ms: 600_001 }, 'step_delay_ms'],
      [{ order_id: orderId, scenario: 'gps_route' }, 'order_id'],
    ] as const) {
      const refused = answered(400, await merchant.owner.post('/v1/test/simulator/scenarios', body)).body
      expect([refused.error, refused.details.field]).toEqual(['validation_error', field])
    }
  })
})

test('who copies the guide sees a scenario to its end', async () => {
  const section = guide.slice(guide.indexOf('## Play a scenario'), guide.indexOf('## Rehearse what goes wrong'))
  const [tools = ''] = [...guide.matchAll(/```sh\n([^]*?)```/g)].map(([, block]) => block!)
  const blocks = [...section.matchAll(/```sh\n([^]*?)```/g)].map(([, block]) => block!).join('\n')
  const key = merchant.test.headers['authorization']!.replace('Bearer ', '')
  const script = `${tools}\n${blocks}`.replaceAll('http://127.0.0.1:8080', system.baseUrl).replace('svc_test_…', key)
  const { stdout } = await promisify(execFile)('bash', ['-euc', script], { cwd: ROOT, timeout: 120_000 })
  const [started, seen] = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(started).toMatchObject({ ok: true, scenario: 'lost', idempotent: false })
  expect(seen).toMatchObject({ order_id: started.order_id, scenario: 'lost' })
  expect(await ended(started.order_id)).toMatchObject({ state: 'completed' })
})
