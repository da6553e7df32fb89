import { setTimeout as wait } from 'node:timers/promises'
import type { Mesh } from '@svc/testing'
import { mintKeys } from '../bench/keys.ts'
import { Api, orderBody } from '../journeys/merchant.ts'
import { allEnded } from './all-ended.ts'
import { type Kills, killInTurn } from './kill-in-turn.ts'
import { countingReceiver } from './receiver.ts'

/** Orders accepted, of which a busy machine takes less in the time. */
const AT_LEAST = 51

/** Clients place orders as long as parts are killed, and until AT_LEAST are accepted. */
export interface Plan extends Kills {
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

/** Kills parts of a mesh under load and compares what was accepted with what the receiver got. */
export async function runChaos(system: Mesh, plan: Plan): Promise<Figures> {
  const receiver = await countingReceiver()
  try {
    const tokens = await mintKeys(system, 300, { isTest: true, webhookUrl: receiver.url })
    let retriedCalls = 0
    const [accepted, kills] = await allEnded([
      placeOrders(system, tokens, plan, () => retriedCalls++),
      killInTurn(system, plan),
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
