import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { eventually } from '@svc/testing'
import { type Api, answered, orderBody } from '../../journeys/merchant.ts'
import type { Fault } from '../fault.ts'
import type { Stage } from '../stage.ts'
import { leaveOpen } from './processes.ts'
import { freeze } from './servers.ts'

const PATIENCE = { timeoutMs: 120_000, intervalMs: 1_000 }
const FAILING = 5

/** Merchants' servers that answer as they are told to. */
async function receivers() {
  let status = 200
  const server = createServer((request, response) => {
    request.resume().on('end', () => response.writeHead(status).end())
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/hooks`,
    answer(what: number) {
      status = what
    },
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** A merchant that wants webhooks there; its id and its sandbox. */
async function listening(stage: Stage, url: string): Promise<{ id: string; test: Api }> {
  const { merchantId, test } = await stage.merchant()
  answered(200, await test.patch('/v1/me/outbound-webhook', { url, enabled: true }))
  return { id: merchantId, test }
}

const PAGE = 'webhook-backlog.md#what-to-do'

export const WEBHOOKS: readonly Fault[] = [
  {
    name: 'receivers-fail',
    what: 'the servers of five merchants answer 500, and a session that somebody left open holds the lane of one of them',
    watched: [
      { alert: 'WebhookReceiversFail', section: PAGE },
      { alert: 'WebhookLanesUnclaimed', section: PAGE },
    ],
    async cause(stage) {
      const receiver = await receivers()
      receiver.answer(500)
      const merchants: string[] = []
      for (let turn = 0; turn < FAILING; turn++) {
        const { id, test } = await listening(stage, receiver.url)
        answered(201, await test.post('/v1/orders', orderBody()))
        merchants.push(id)
      }
      const failing = 'SELECT FROM lane WHERE merchant_id = ANY($1) AND consecutive_failures > 0'
      await eventually(async () => (await stage.sql('webhook', failing, [merchants])).length === FAILING, PATIENCE)
      const pid = await leaveOpen(stage, 'webhook', `SELECT FROM lane WHERE merchant_id = '${merchants[0]}' FOR UPDATE`)
      return async () => {
        const waiting = 'SELECT id FROM delivery WHERE status = $1 AND merchant_id = $2'
        const [delivery] = await stage.sql<{ id: string }>('webhook', waiting, ['pending', merchants[1]])
        receiver.answer(200)
        const operator = await stage.operator()
        const credential = operator.headers['authorization']!.slice('Bearer '.length)
        await stage.follow(PAGE, { service: 'webhook', pid, delivery_id: delivery!.id, operator_token: credential })
        for (const merchant of merchants) {
          const rows = await stage.sql<{ id: string }>('webhook', waiting, ['pending', merchant])
          for (const { id } of rows)
            await operator.post(`/v1/admin/outbound-webhook-deliveries/${id}/retry`, {}).catch(() => undefined)
        }
      }
    },
  },
  {
    name: 'kafka-stutters',
    what: 'Kafka answers for two seconds of twelve, while merchants with servers that work order',
    watched: [
      { alert: 'WebhookSlow', section: 'webhook-backlog.md#late-though-no-lane-waits' },
      { alert: 'WebhooksSlowFast', section: 'budgets.md#what-to-do' },
      { alert: 'WebhooksSlowSteadily', section: 'budgets.md#what-to-do' },
    ],
    async cause(stage) {
      const receiver = await receivers()
      const { test } = await listening(stage, receiver.url)
      const orders = stage.repeat(500, () => test.post('/v1/orders', orderBody()))
      let thaw = freeze(stage, 'kafka')
      const stutter = stage.repeat(12_000, async () => {
        thaw()
        setTimeout(() => {
          thaw = freeze(stage, 'kafka')
        }, 2_000)
      })
      return async () => {
        await stage.follow('webhook-backlog.md#late-though-no-lane-waits')
        await stage.follow('budgets.md#what-to-do')
        orders()
        stutter()
        setTimeout(() => thaw(), 3_000)
      }
    },
  },
]
