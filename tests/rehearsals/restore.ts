import { join, resolve } from 'node:path'
import { provision } from '@svc/database'
import { rewindGroup } from '@svc/kafka'
import { claimFolder, startPrivateServers } from '@svc/servers'
import { eventually, mesh } from '@svc/testing'
import { table } from '../bench/report.ts'
import { countingReceiver } from '../chaos/receiver.ts'
import { raise } from '../chaos/restore-database.ts'
import { answered, orderBody, signUp } from '../journeys/merchant.ts'
import { archiveLog, asAdmin, momentOf, replaceDatabase, takeBackup } from './point-in-time.ts'
import { restoreAdmin, restoreIngestion, restoreWallet, restoreWebhook } from './restored-parts.ts'
import { openFleet } from './stage.ts'

/**
 * docs/runbooks/restore.md, followed on a mesh at work: a base backup of the six databases, the log archived, and the six one
 * after the other taken back to a moment of their own, which nobody else goes back to. Ends with 1 where something that the page promises does not hold.
 *
 *   node --conditions=source tests/rehearsals/restore.ts [orders in each part]
 */
const count = Number(process.argv[2] ?? 20)
const root = resolve(import.meta.dirname, '../..')
const QUARTER_HOUR_MS = 900_000
const PATIENCE = { timeoutMs: 120_000, intervalMs: 200 }

const servers = await startPrivateServers(root)
await archiveLog(servers)
process.env['TEST_DATABASE_ADMIN_URL'] = servers.databaseAdminUrl
process.env['TEST_REDIS_URL'] = servers.redisUrl
process.env['TEST_KAFKA_BROKERS'] = servers.kafkaBrokers.join()
const receiver = await countingReceiver()
const system = await mesh({ spans: false, environment: { RATE_TEST_KEY_PER_MINUTE: '1000000' } })
const rows: string[][] = []
const held = (promise: string, seen: string, isHeld: boolean) => rows.push([promise, seen, isHeld ? 'yes' : 'NO'])

const databaseOf = (service: string) => new URL(system.databaseUrls[service]!.owner).pathname.slice(1)
const prefix = databaseOf('order').slice(0, -'order'.length)

try {
  const { test: api } = await signUp(system.baseUrl)
  answered(200, await api.patch('/v1/me/outbound-webhook', { url: receiver.url, enabled: true }))
  const place = async () => {
    const ids: string[] = []
    for (let turn = 0; turn < count; turn++)
      ids.push(answered(201, await api.post('/v1/orders', orderBody())).body.order.id)
    await eventually(() => ids.every((id) => receiver.of(id).length > 0), PATIENCE)
    return ids
  }
  const act = async (ids: readonly string[], action: string) => {
    for (const order_id of ids)
      await eventually(
        async () => answered(200, await api.post('/v1/test/simulator/rider-action', { order_id, action })),
        PATIENCE,
      )
  }
  const statusOf = async (orderId: string): Promise<string> => {
    const { status, body } = await api.get(`/v1/orders/${orderId}`)
    return status === 200 ? body.order.status : String(status)
  }
  const statuses = async (ids: readonly string[]) => [...new Set(await Promise.all(ids.map(statusOf)))].sort().join()
  const eventsOf = (ids: readonly string[]) => ids.flatMap((one) => receiver.of(one))
  const isStory = (orderId: string) => receiver.of(orderId).every(({ sequence }, index) => sequence === index + 1)

  /** Steps 1 to 6 of the page. */
  const restore = async (service: string, at: Date, groups: readonly string[] = []) => {
    const name = databaseOf(service)
    const since = performance.now()
    await system.kill(service, 'SIGSTOP')
    const seconds = await backup.restoreInto(`${name}_restored`, `${service}_owner`, name, at)
    await replaceDatabase(servers.databaseAdminUrl, name, `${name}_restored`, `${name}_lost`)
    const password = new URL(system.databaseUrls[service]!.owner).password
    const passwords = { owner: password, app: password, worker: password, inspect: password }
    await provision({ adminUrl: servers.databaseAdminUrl, name, service, passwords, inspect: true })
    // Ingestion announces nothing under numbers of its own, and has none to raise.
    if (service !== 'ingestion') await raise(system, service)
    const rewound = performance.now()
    for (const group of groups)
      await eventually(
        () => rewindGroup(servers.kafkaBrokers, prefix + group, at.getTime() - QUARTER_HOUR_MS),
        PATIENCE,
      )
    const waited = Math.round((performance.now() - rewound) / 1_000)
    await system.kill(service)
    await eventually(async () => (await fetch(new URL('/health/ready', system.metricsUrls[service]))).ok, PATIENCE)
    const total = Math.round((performance.now() - since) / 1_000)
    console.log(
      `${service}: ${seconds.toFixed(1)} s from the backup to a database, ${waited} s until its groups were empty, ${total} s in all`,
    )
  }

  const early = await place()
  const backup = await takeBackup(servers, claimFolder(join(root, '.local/test')))
  console.log(`base backup: ${backup.megabytes} MB in ${backup.seconds.toFixed(1)} s`)
  const between = await place()
  await act(early, 'accept')
  const right = await momentOf(servers.databaseAdminUrl)
  const undone = await place()
  await act(early, 'pickup')
  await eventually(
    () => early.every((one) => receiver.of(one).some(({ event }) => event === 'order.picked_up')),
    PATIENCE,
  )
  const known = eventsOf([...early, ...between, ...undone])
  const deliveries = () => known.reduce((sum, one) => sum + one.deliveries, 0)
  const delivered = deliveries()
  await asAdmin(system.databaseUrls['order']!.owner, (owner) => owner.query('TRUNCATE orders CASCADE'))

  await restore('order', right)
  held(
    'orders of before the backup are as they were at that moment',
    await statuses(early),
    (await statuses(early)) === 'accepted',
  )
  held(
    'so are orders between the backup and that moment',
    await statuses(between),
    (await statuses(between)) === 'pending',
  )
  held('orders after it answer 404', await statuses(undone), (await statuses(undone)) === '404')
  const log = await Promise.all(undone.map((one) => api.get(`/v1/events?order_id=${one}`)))
  const logged = log.filter(({ body }) => body.items?.length > 0 || body.events?.length > 0).length
  held('and the event log has them', `${logged} of ${count}`, logged === count)
  await act(early, 'pickup')
  await act(early, 'deliver')
  await eventually(
    () => early.every((one) => receiver.of(one).filter(({ event }) => event === 'order.delivered').length === 1),
    PATIENCE,
  ).catch(() => {})
  const twice = early.filter((one) => receiver.of(one).filter(({ event }) => event === 'order.picked_up').length === 2)
  held(
    'each change that is made again arrives, once, beside the one that was undone',
    `${twice.length} of ${count}`,
    twice.length === count,
  )
  held('sequences of an order have no gap', `${early.filter(isStory).length} of ${count}`, early.every(isStory))
  const changed = [...receiver.events.values()].filter(({ bodies }) => bodies.size > 1).length
  held('no event id stands for two bodies', `${changed} do`, changed === 0)
  held('nothing that was delivered is delivered again', `${deliveries() - delivered} more`, deliveries() === delivered)

  const moment = await momentOf(servers.databaseAdminUrl)
  const later = await place()
  const jobs = (): Promise<number> =>
    asAdmin(system.databaseUrls['dispatch']!.inspect, async (one) => {
      const sql = 'SELECT count(*)::int AS count FROM dispatch_jobs WHERE order_id = ANY($1)'
      return (await one.query(sql, [later])).rows[0].count
    })
  await eventually(async () => (await jobs()) === count, PATIENCE)
  await restore('dispatch', moment, ['dispatch'])
  await eventually(async () => (await jobs()) === count, PATIENCE).catch(() => {})
  held(
    'dispatch reads again what it had taken over since',
    `${await jobs()} of ${count} orders`,
    (await jobs()) === count,
  )
  await act(later, 'accept')
  await eventually(() => later.every((one) => receiver.of(one).length > 1), PATIENCE).catch(() => {})
  held('and its orders go on', await statuses(later), (await statuses(later)) === 'accepted')
  const drill = { system, held, restore, moment: () => momentOf(servers.databaseAdminUrl) }
  await restoreWebhook({ ...drill, receiver, place, act })
  const fleet = await openFleet(system)
  await restoreWallet(drill, fleet)
  await restoreIngestion(drill, fleet)
  await restoreAdmin(drill, fleet)
  await act(await place(), 'accept')
  for (const service of Object.keys(system.databaseUrls)) {
    const parked = await asAdmin(system.databaseUrls[service]!.worker, async (one) => {
      const { rows: found } = await one.query('SELECT consumer, error FROM parked')
      return found.map(({ consumer, error }) => `${consumer}: ${error}`)
    })
    held(`no fact is parked in ${service}`, parked.join('; ') || 'none', parked.length === 0)
  }
} finally {
  console.log(table(['what the page says', 'seen', 'held'], rows))
  await system.stop()
  await servers.stop()
  receiver.close()
}
process.exitCode = rows.length > 0 && rows.every(([, , isHeld]) => isHeld === 'yes') ? 0 : 1
