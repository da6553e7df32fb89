import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { eventually, sharedMesh } from '@svc/testing'
import { openRateCard, operatorOf } from './fleet.ts'
import { answered, type SignedUp, signUp } from './merchant.ts'

const GUIDES = resolve(import.meta.dirname, '../../docs/guides')
const SELDOM = { intervalMs: 1_000 }
const system = sharedMesh('journeys')

let folder: string
let merchant: SignedUp
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'copied-guides-'))
  merchant = await signUp(system.baseUrl)
  await openRateCard(await operatorOf(system), merchant.merchantId)
})
afterAll(() => rm(folder, { recursive: true }))

/** What a shell prints of all that the guide has one do, line by line; every word that is JSON is read. */
async function copied(guide: string): Promise<unknown[]> {
  const text = await readFile(resolve(GUIDES, guide), 'utf8')
  const blocks = [...text.matchAll(/```sh\n([^]*?)```/g)].map(([, block]) => block!)
  const key = merchant.test.headers['authorization']!.replace('Bearer ', '')
  const script = blocks.join('\n').replaceAll('http://127.0.0.1:8080', system.baseUrl).replace('svc_test_…', key)
  expect(script).not.toContain('…')
  const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', script], {
    cwd: folder,
    timeout: 120_000,
  })
  return stdout
    .trim()
    .split('\n')
    .map((line) => (line.startsWith('{') ? JSON.parse(line) : line))
}

const ID = expect.stringMatching(/^[0-9a-f-]{36}$/)

test('who copies the guide of the sandbox drives an order, plays a scenario, has webhooks go wrong and lets time pass', async () => {
  const [orderId, ...seen] = await copied('sandbox.md')
  expect([orderId, ...seen]).toEqual([
    ID,
    ...['accepted', 'picked_up', 'delivered'].map((status) => expect.objectContaining({ order_id: orderId, status })),
    expect.objectContaining({ step_delay_ms: 3_000, idempotent: false }),
    expect.objectContaining({ scenario: 'lost', idempotent: false }),
    expect.objectContaining({ scenario: 'lost' }),
    ...Array(2).fill({
      faults: [
        { kind: 'drop', events: ['order.created'], count: 1, remaining: 1, delay_ms: 5_000 },
        { kind: 'duplicate', events: [], count: 3, remaining: 3, delay_ms: 5_000 },
      ],
    }),
    expect.objectContaining({ now: expect.any(String) }),
  ])
  const [automatic, played] = [seen[3], seen[4]] as Array<{ order_id: string }>
  const statusOf = async (id: string) =>
    answered(200, await merchant.test.get(`/v1/orders/${id}`)).body.order.unified_json.status
  // The minute that the guide lets pass is more than its three steps take.
  await eventually(async () => expect(await statusOf(automatic!.order_id)).toBe('delivered'), SELDOM)
  await eventually(async () => expect(await statusOf(played!.order_id)).toBe('lost_in_transit'), SELDOM)
})

test('who copies the guide of shipments has submitted one, cancelled another, and sees how far they are', async () => {
  const [byJson, byCsv, submitted, cancelled, shown, listed] = await copied('shipments.md')
  expect([byJson, byCsv]).toEqual([ID, ID])
  expect(submitted).toMatchObject({ shipment_id: byJson, status: 'submitted' })
  expect(cancelled).toMatchObject({ shipment: { id: byCsv, status: 'cancelled' } })
  expect(shown).toMatchObject({ shipment: { id: byJson, total_orders: 2 } })
  // Within seconds no rider has one of its orders.
  expect(listed).toMatchObject({ items: [] })
})
