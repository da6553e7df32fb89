import { setTimeout as wait } from 'node:timers/promises'
import type { Mesh } from '@svc/testing'
import { mintKeys } from '../bench/keys.ts'
import { Api, orderBody } from '../journeys/merchant.ts'
import { allEnded } from './all-ended.ts'
import { countingReceiver } from './receiver.ts'

/** Orders accepted, of which a busy machine takes less in the time. */
const AT_LEAST = 51

export interface Plan {
  /** How long clients place orders, and until AT_LEAST are accepted. */
  loadMs: number
  /** Pause between two kills. */
  killEveryMs: number
  /** Who is killed with SIGKILL, in turn. */
  victims: readonly string[]
  clients: number
}

export interface Figures {
  accepted: number
  retriedCalls: number
  kills: number
  missing: string[]
  outOfOrder: string[]
  doubledEvents: string[]
  changedBodies: string[]
  deliveries: number
  events: number
  drainedAfterMs: number
}

const autoStory = [
  'order.created',
  'order.rider_assigned',
  'order.accepted',
  'order.picked_up',
  'order.status_updated',
  'order.delivered',
  'order.status_updated',
]

/** An order that the API answered for, and the events that must follow. */
interface Accepted {
  id: string
  story: readonly string[]
}

/** Repeats one call with the same body until it is answered, as a merchant's retry would. */
async function untilAnswered(api: Api, path: string, body: unknown, retried: () => void): Promise<string> {
  for (;;) {
    const reply = await api.post(path, body).catch(() => undefined)
    if (reply && (reply.status === 201 || reply.status === 200)) return reply.body.order?.id ?? reply.body.order_id
    // A merchant may have a hundred automatic orders under way; while a part is down they pile up.
    const isFull = reply?.status === 429 || reply?.body.error === 'limit_reached'
    if (reply && reply.status < 500 && !isFull)
      throw new Error(`${path} answered ${reply.status}: ${JSON.stringify(reply.body)}`)
    retried()
    await wait(100)
  }
}

async function placeOrders(system: Mesh, tokens: string[], plan: Plan, retried: () => void): Promise<Accepted[]> {
  const accepted: Accepted[] = []
  const end = Date.now() + plan.loadMs
  const client = async (index: number) => {
    for (let turn = 0; Date.now() < end || accepted.length < AT_LEAST; turn++) {
      const api = new Api(system.baseUrl).bearing(tokens[(turn * plan.clients + index) % tokens.length] ?? '')
      const body = orderBody()
      if (turn % 10 === 9) {
        const simulated = { ...body.standardized, external_order_id: body.external_order_id, step_delay_ms: 300 }
        const id = await untilAnswered(api, '/v1/test/simulator/orders/auto', simulated, retried)
        accepted.push({ id, story: autoStory })
      } else {
        const id = await untilAnswered(api, '/v1/orders', body, retried)
        accepted.push({ id, story: ['order.created'] })
      }
    }
  }
  await allEnded(Array.from({ length: plan.clients }, (_, index) => client(index)))
  return accepted
}

async function killInTurn(system: Mesh, plan: Plan, signal: AbortSignal): Promise<number> {
  let kills = 0
  while (!signal.aborted) {
    await wait(plan.killEveryMs, undefined, { signal }).catch(() => {})
    if (signal.aborted) break
    await system.kill(plan.victims[kills++ % plan.victims.length] ?? '')
  }
  return kills
}

/** Kills parts of a mesh under load and compares what was accepted with what the receiver got. */
export async function runChaos(system: Mesh, plan: Plan): Promise<Figures> {
  const receiver = await countingReceiver()
  try {
    const tokens = await mintKeys(system, 300, { isTest: true, webhookUrl: receiver.url })
    let retriedCalls = 0
    const stop = new AbortController()
    const [accepted, kills] = await allEnded([
      placeOrders(system, tokens, plan, () => retriedCalls++).finally(() => stop.abort()),
      killInTurn(system, plan, stop.signal),
    ])

    const drainStarted = Date.now()
    const complete = ({ id, story }: Accepted) => receiver.of(id).length >= story.length
    while (!accepted.every(complete) && Date.now() - drainStarted < 180_000) await wait(100)

    const seen = [...receiver.events.values()]
    return {
      accepted: accepted.length,
      retriedCalls,
      kills,
      missing: accepted.filter((order) => !complete(order)).map(({ id }) => id),
      outOfOrder: accepted
        .filter(({ id, story }) => {
          const got = receiver.of(id)
          return got.length === story.length && !got.every((e, i) => e.event === story[i] && e.sequence === i + 1)
        })
        .map(({ id }) => id),
      doubledEvents: accepted.filter(({ id, story }) => receiver.of(id).length > story.length).map(({ id }) => id),
      changedBodies: [...receiver.events].filter(([, { bodies }]) => bodies.size > 1).map(([id]) => id),
      deliveries: seen.reduce((sum, { deliveries }) => sum + deliveries, 0),
      events: seen.length,
      drainedAfterMs: Date.now() - drainStarted,
    }
  } finally {
    receiver.close()
  }
}
