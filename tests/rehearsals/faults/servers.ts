import { readFileSync } from 'node:fs'
import { placed } from '../../journeys/fleet.ts'
import { answered, orderBody } from '../../journeys/merchant.ts'
import type { Fault } from '../fault.ts'
import type { Stage } from '../stage.ts'

/** A server is frozen with the processes that it has made: those of a database go on serving whom they serve. */
function signalWhole(pid: number, signal: NodeJS.Signals): void {
  const made = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number)
  for (const one of [pid, ...made]) process.kill(one, signal)
}

/** Freezes it at once; what comes back lets it go on. */
export function freeze(stage: Stage, name: string): () => void {
  const pid = stage.pidOf(name)
  signalWhole(pid, 'SIGSTOP')
  return () => signalWhole(pid, 'SIGCONT')
}

/** Orders of a sandbox, so many a second. */
export async function ordersAt(stage: Stage, perSecond: number): Promise<() => void> {
  const { test } = await stage.merchant()
  return stage.repeat(1_000 / perSecond, () => test.post('/v1/orders', orderBody()))
}

const WHAT = 'what-to-do'

export const SERVERS: readonly Fault[] = [
  {
    name: 'kafka-hangs',
    what: 'Kafka is stopped by SIGSTOP while orders are placed',
    watched: [
      { alert: 'KafkaUnreachable', job: 'order', section: `kafka-down.md#${WHAT}` },
      { alert: 'OutboxLag', section: `outbox-lag.md#${WHAT}` },
      { alert: 'RelayStopped', section: `outbox-lag.md#${WHAT}` },
    ],
    async cause(stage) {
      const { live, rider } = await stage.fleet()
      const endOrders = await ordersAt(stage, 1)
      const thaw = freeze(stage, 'kafka')
      return async () => {
        await stage.follow(`outbox-lag.md#${WHAT}`, { service: 'order' })
        // Dispatch has not heard of it: what the pages say of giving it out by hand meanwhile.
        const { id } = answered(201, await live.post('/v1/orders', placed())).body.order
        answered(200, await live.post(`/v1/orders/${id}/rider-assignment`, { rider_id: rider.id }))
        endOrders()
        thaw()
        await stage.follow(`kafka-down.md#${WHAT}`, {
          service: 'order',
          since: new Date(Date.now() - 600_000).toISOString(),
        })
      }
    },
  },
  {
    name: 'redis-hangs',
    what: 'Redis is stopped by SIGSTOP while a key is rotated and a rider moves',
    watched: [
      { alert: 'RedisUnreachable', job: 'gateway', section: `redis-down.md#${WHAT}` },
      { alert: 'RevocationsDelayed', section: `redis-down.md#${WHAT}` },
      { alert: 'SocketsHearNothing', section: `redis-down.md#${WHAT}` },
      { alert: 'LoggedAlert', section: 'processes.md#loggedalert' },
    ],
    async cause(stage) {
      const { live, merchant, rider } = await stage.fleet()
      const thaw = freeze(stage, 'redis')
      const moves = stage.repeat(3_000, async () => {
        const point = { lat: 6.4541 + Math.random() / 1_000, lng: 3.3947 }
        answered(200, await rider.api.post(`/v1/riders/${rider.id}/location`, point))
        answered(201, await live.post('/v1/orders', orderBody()))
      })
      const minted = answered(201, await merchant.owner.post('/v1/me/api-keys', { is_test: true })).body
      const rotations = stage.repeat(3_000, () => merchant.owner.post(`/v1/me/api-keys/${minted.id}/rotate`, {}))
      return async () => {
        await stage.follow(`redis-down.md#${WHAT}`)
        moves()
        rotations()
        thaw()
      }
    },
  },
  {
    name: 'database-hangs',
    what: 'Postgres is stopped by SIGSTOP while merchants order, and riders tell where they are and ask for offers',
    watched: [
      { alert: 'DatabaseUnreachable', job: 'wallet', section: 'processes.md#databaseunreachable' },
      ...['Requests', 'Orders', 'Offers', 'Positions'].flatMap((what) => [
        { alert: `${what}FailFast`, section: `budgets.md#${WHAT}` },
        { alert: `${what}FailSteadily`, section: `budgets.md#${WHAT}` },
      ]),
    ],
    async cause(stage) {
      const endOrders = await ordersAt(stage, 1)
      const { rider } = await stage.fleet()
      const calls = stage.repeat(700, () =>
        Promise.all([
          rider.api.get('/v1/riders/me/dispatch-offers'),
          rider.api.post(`/v1/riders/${rider.id}/location`, { lat: 6.4541, lng: 3.3947 }),
        ]),
      )
      const thaw = freeze(stage, 'postgres')
      return async () => {
        await stage.follow(`budgets.md#${WHAT}`)
        thaw()
        await stage.follow('processes.md#databaseunreachable')
        endOrders()
        calls()
      }
    },
  },
]
