import { execFile } from 'node:child_process'
import { resolve } from 'node:path'
import { promisify } from 'node:util'
import { eventually, type Mesh } from '@svc/testing'
import pg from 'pg'
import { violations } from '../../services/wallet/test/ledger-violations.ts'
import type { countingReceiver } from '../chaos/receiver.ts'
import { Api, answered } from '../journeys/merchant.ts'
import { pay, topUp } from '../journeys/money.ts'
import { environmentOf, type Fleet } from './stage.ts'

const root = resolve(import.meta.dirname, '../..')
const PATIENCE = { timeoutMs: 180_000, intervalMs: 1_000 }
const TOP_UP = 600_000

interface Drill {
  system: Mesh
  held: (promise: string, seen: string, isHeld: boolean) => void
  restore: (service: string, at: Date, groups?: readonly string[]) => Promise<void>
  moment: () => Promise<Date>
}

interface Receiving extends Drill {
  receiver: Awaited<ReturnType<typeof countingReceiver>>
  place: () => Promise<string[]>
  act: (ids: readonly string[], action: string) => Promise<void>
}

/** Merchants are told again what they were told since, under the ids that they know; nobody is told anything else by them. */
export async function restoreWebhook({ held, restore, moment, receiver, place, act }: Receiving): Promise<void> {
  const at = await moment()
  const orders = await place()
  await act(orders, 'accept')
  const known = () => orders.flatMap((one) => receiver.of(one))
  await eventually(() => orders.every((one) => receiver.of(one).length >= 3), PATIENCE)
  const before = known().length
  await restore('webhook', at, ['webhook', 'webhook-money', 'webhook-clock'])
  await eventually(() => known().every(({ deliveries }) => deliveries > 1), PATIENCE).catch(() => {})
  const again = known().filter(({ deliveries }) => deliveries > 1).length
  held('webhook: what was delivered since comes again under its event id', `${again} of ${before}`, again === before)
  held('webhook: and nothing under another id', `${known().length - before} more`, known().length === before)
  const changed = known().filter(({ contents }) => contents.size > 1).length
  held('webhook: with the same bytes but for the delivery_id', `${changed} differ`, changed === 0)
  await act(orders, 'pickup')
  const hasMore = () => orders.every((one) => receiver.of(one).some(({ event }) => event === 'order.picked_up'))
  await eventually(hasMore, PATIENCE).catch(() => {})
  const story = orders.filter((one) => receiver.of(one).every(({ sequence }, index) => sequence === index + 1)).length
  held('webhook: later events follow without a gap', `${story} of ${orders.length} orders`, story === orders.length)
}

const balanceOf = async ({ live }: Fleet): Promise<number> =>
  answered(200, await live.get('/v1/me/wallet')).body.wallet.balance_minor

/** What the provider told since is read again and counts once, and the books hold. */
export async function restoreWallet({ system, held, restore, moment }: Drill, fleet: Fleet): Promise<void> {
  const opened = answered(201, await fleet.live.post('/v1/me/wallet/payments-a-topup-intent', { amount_minor: TOP_UP }))
  const before = await balanceOf(fleet)
  const at = await moment()
  await pay(system, opened.body.reference, {})
  await eventually(async () => (await balanceOf(fleet)) === before + TOP_UP, PATIENCE)
  await restore('wallet', at, ['wallet'])
  await eventually(async () => (await balanceOf(fleet)) === before + TOP_UP, PATIENCE).catch(() => {})
  const seen = (await balanceOf(fleet)) - before
  held('wallet: a top-up that was paid since is credited again, once', `${seen} of ${TOP_UP}`, seen === TOP_UP)
  await topUp(system, fleet.live, TOP_UP)
  const books = new pg.Pool({ connectionString: system.databaseUrls['wallet']!.worker, max: 1 })
  books.on('error', () => {})
  const sql = async <Row extends object>(text: string, values?: unknown[]) =>
    (await books.query<Row>(text, values)).rows
  const wrong = Object.values(await violations(sql)).flat().length
  await books.end()
  held('wallet: the books hold, and go on', `${wrong} violations`, wrong === 0)
}

/** A hook that was forgotten comes again and counts no second time. */
export async function restoreIngestion({ system, held, restore, moment }: Drill, fleet: Fleet): Promise<void> {
  const before = await balanceOf(fleet)
  const at = await moment()
  const reference = await topUp(system, fleet.live, TOP_UP)
  await restore('ingestion', at, ['ingestion'])
  const provider = new Api(system.providersUrl)
  const repeated = await eventually(async () => {
    const { deliveries } = answered(
      200,
      await provider.post(`/__control/charges/${reference}`, { outcome: 'success' }),
    ).body
    return deliveries.every(({ status }: { status: number }) => status === 200) && deliveries.length
  }, PATIENCE)
  await topUp(system, fleet.live, TOP_UP)
  const seen = (await balanceOf(fleet)) - before
  const times = `${repeated} repeated, ${seen} in all`
  held('ingestion: a hook that is forgotten and repeated counts once, and others go on', times, seen === 2 * TOP_UP)
}

/** Keys are as they were at that moment, and the record of acts can be verified. */
export async function restoreAdmin({ system, held, restore, moment }: Drill, fleet: Fleet): Promise<void> {
  const { owner } = fleet.merchant
  const mint = async () => answered(201, await owner.post('/v1/me/api-keys', { is_test: true })).body
  const old = await mint()
  const at = await moment()
  const made = await mint()
  answered(200, await owner.delete(`/v1/me/api-keys/${old.id}`))
  await restore('admin', at, ['admin'])
  const statusWith = async (key: string) => (await owner.bearing(key).get('/v1/orders?limit=1')).status
  await eventually(async () => (await statusWith(old.api_key)) === 200, PATIENCE).catch(() => {})
  const [again, gone] = [await statusWith(old.api_key), await statusWith(made.api_key)]
  held(
    'admin: a key that was revoked since works again, one that was made since does not',
    `${again}, ${gone}`,
    again === 200 && gone === 401,
  )
  const works = await fleet.live.get('/v1/orders?limit=1')
  held('admin: all other keys work', String(works.status), works.status === 200)
  const verified = await promisify(execFile)(
    process.execPath,
    ['--conditions=source', 'services/admin/src/commands/verify-audit.ts'],
    {
      cwd: root,
      env: { ...environmentOf(system, 'admin'), NODE_OPTIONS: '' },
    },
  ).then(
    () => 'it does',
    (error: Error) => error.message,
  )
  held('admin: the audit log verifies', verified, verified === 'it does')
}
