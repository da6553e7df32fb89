import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { eventually, merchantCaller } from '@svc/testing'
import { orderMessage, startWebhook, type TestWebhook } from './start-webhook.ts'

const packageFolder = fileURLToPath(new URL('..', import.meta.url))

let service: TestWebhook
beforeAll(async () => {
  service = await startWebhook()
})
afterAll(() => service?.stop())

function command(...args: string[]): Promise<{ code: number; lines: Array<Record<string, unknown>> }> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      ['--conditions=source', 'src/commands/replay-parked.ts', ...args],
      { cwd: packageFolder, env: { PATH: process.env['PATH'], ...service.env } },
      (error, output) => {
        const lines = output.split('\n').filter((line) => line.startsWith('{"parked_by"'))
        resolve({ code: Number(error?.code ?? 0), lines: lines.map((line) => JSON.parse(line)) })
      },
    )
  })
}

test('an operator sees the events that an unreadable fact holds back and, once it is readable, lets them come in order', async () => {
  const merchantId = randomUUID()
  const orderId = randomUUID()
  const message = (version: number, type: string) =>
    orderMessage(`${service.env['TOPIC_PREFIX']}svc.order.v1`, { merchantId, orderId, version, type })
  const [first, second] = [message(1, 'order.created'), message(2, 'order.accepted')]
  await service.send([{ ...first, payload: Buffer.from([0xff]) }, second])
  await eventually(async () => expect((await command()).lines).toHaveLength(2))

  const failed = await command('--all')
  expect(failed).toEqual({
    code: 1,
    lines: [expect.objectContaining({ aggregate_id: orderId, error: expect.anything() })],
  })

  await service.sql('UPDATE parked SET payload = $2 WHERE event_id = $1', [first.headers['ce_id'], first.payload])
  expect(await command(second.headers['ce_id']!)).toEqual({
    code: 0,
    lines: [{ parked_by: 'event-log', aggregate_id: orderId, replayed: 2 }],
  })
  const caller = merchantCaller({ merchantId, isTest: true })
  const { envelopes_json } = await service.event.as(caller).listEvents({ limit: 10 })
  expect(envelopes_json.map((json) => JSON.parse(json).event)).toEqual(['order.created', 'order.accepted'])
  expect(await command()).toEqual({ code: 0, lines: [] })
})
