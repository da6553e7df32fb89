import { execFile } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { eventually, sharedMesh } from '@svc/testing'
import { openRateCard, operatorOf } from './fleet.ts'
import { answered, type SignedUp, signUp } from './merchant.ts'
import { topUp } from './money.ts'

const GUIDES = resolve(import.meta.dirname, '../../docs/guides')
const SELDOM = { intervalMs: 1_000 }
const system = sharedMesh('journeys')

let folder: string
let merchant: SignedUp
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'copied-guides-'))
  // Files of a suite share a mesh, and limits count per address: their calls come from one of their own.
  await writeFile(
    join(folder, '.curlrc'),
    `interface = 127.${randomInt(1, 255)}.${randomInt(256)}.${randomInt(1, 255)}\n`,
  )
  // What a run by `npm start` leaves in the clone.
  await mkdir(join(folder, '.local'))
  await writeFile(join(folder, '.local/stack.json'), JSON.stringify({ admin_static_token: system.adminStaticToken }))
  merchant = await signUp(system.baseUrl)
  const operator = await operatorOf(system)
  await openRateCard(operator, merchant.merchantId)
  const approved = { kyb_status: 'verified', business_approval_status: 'approved' }
  answered(200, await operator.patch(`/v1/admin/merchants/${merchant.merchantId}`, approved))
  await topUp(system, merchant.owner, 10_000_000)
})
afterAll(() => rm(folder, { recursive: true }))

const scriptOf = async (guide: string): Promise<string> =>
  [...(await readFile(resolve(GUIDES, guide), 'utf8')).matchAll(/```sh\n([^]*?)```/g)]
    .map(([, block]) => block!)
    .join('\n')

/** A key of its own for each guide, for a key has so many calls a minute. */
const newKey = async (isTest: boolean): Promise<string> =>
  answered(201, await merchant.owner.post('/v1/me/api-keys', { is_test: isTest })).body.api_key

/** What a shell prints of all that the guide has one do, line by line. */
async function printed(guide: string): Promise<string[]> {
  const script = (await scriptOf(guide))
    .replaceAll('http://127.0.0.1:8080', system.baseUrl)
    .replace('svc_test_…', await newKey(true))
    .replace('svc_live_…', await newKey(false))
  expect(script).not.toContain('…')
  const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', script], {
    cwd: folder,
    env: { ...process.env, CURL_HOME: folder },
    timeout: 120_000,
  })
  return stdout.trim().split('\n')
}

/** The same; every line that is JSON is read. */
const copied = async (guide: string): Promise<unknown[]> =>
  (await printed(guide)).map((line) => (line.startsWith('{') ? JSON.parse(line) : line))

/** What the guide says after `#` that its lines print. */
const promised = async (guide: string): Promise<string[]> =>
  [...(await scriptOf(guide)).matchAll(/^(?!\w+=).* {3}# (.+)$/gm)].map(([, said]) => said!)

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

test.each([
  ['orders', 16, 'has them priced, made, moved, cancelled and found'],
  ['authentication', 12, 'calls by key and by log-in, on either side, and is refused where it says so'],
  ['dispatch', 10, 'has a rider of its own who is offered the order, accepts and delivers it'],
  ['inbound-hooks', 5, 'is a shop whose hook is believed once and becomes an order'],
  ['operators', 6, 'approves a business, gives it a price and an area, and sees what waits'],
])('who copies the guide of %s, with %i answers, %s, as its comments say', async (guide, answers) => {
  const said = await promised(`${guide}.md`)
  expect(said).toHaveLength(answers)
  expect(await printed(`${guide}.md`)).toEqual(said)
})
