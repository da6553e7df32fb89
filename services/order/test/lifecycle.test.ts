import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { type FactMessage, kafkaConsumer } from '@svc/kafka'
import { eventually, merchantCaller } from '@svc/testing'
import pg from 'pg'
import { clientsOf, creation, orderSurroundings } from './order-mesh.ts'

const main = fileURLToPath(new URL('../src/main.ts', import.meta.url))
const DEAD_BROKER = '127.0.0.1:9'

let around: Awaited<ReturnType<typeof orderSurroundings>>
let inspect: pg.Pool
let consumer: ReturnType<typeof kafkaConsumer>
const received: FactMessage[] = []
const children = new Set<ChildProcess>()

beforeAll(async () => {
  around = await orderSurroundings()
  inspect = new pg.Pool({ connectionString: around.database.inspectUrl, max: 1 })
  // Dropping the database may end a connection that is just saying goodbye.
  inspect.on('error', () => {})
  const { TOPIC_PREFIX = '', KAFKA_BROKERS = '' } = around.env
  consumer = kafkaConsumer({
    brokers: KAFKA_BROKERS.split(','),
    clientId: 'test',
    group: `${TOPIC_PREFIX}test`,
    topics: [`${TOPIC_PREFIX}svc.order.v1`],
    onMessage: async (fact) => void received.push(fact),
  })
  await consumer.start()
})
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL')
  await consumer.stop()
  await inspect.end()
  await around.release()
})

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return port
}

/** The service as a process of its own, ready to be called. */
async function startProcess(changes: Record<string, string> = {}) {
  const [grpcPort, opsPort] = [await freePort(), await freePort()]
  const child = spawn(process.execPath, ['--conditions=source', '--import', '@svc/telemetry/register', main], {
    cwd: fileURLToPath(new URL('..', import.meta.url)),
    env: {
      PATH: process.env.PATH,
      LOG_LEVEL: 'error',
      ...around.env,
      GRPC_PORT: String(grpcPort),
      OPS_PORT: String(opsPort),
      ...changes,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let logged = ''
  child.stdout.on('data', (chunk) => {
    logged += String(chunk)
  })
  children.add(child)
  const exited = once(child, 'exit').then(([code, signal]) => {
    children.delete(child)
    return { code, signal }
  })
  const ready = () => fetch(`http://127.0.0.1:${opsPort}/health/ready`)
  await eventually(async () => (await ready()).ok)
  const clients = clientsOf(`127.0.0.1:${grpcPort}`)
  return {
    ...clients,
    ready: async () => (await ready()).json(),
    logged: () => logged,
    async end(signal: NodeJS.Signals) {
      child.kill(signal)
      const exit = await exited
      clients.close()
      return exit
    },
  }
}

const receivedOf = (id: string) => received.filter(({ key }) => key === id)
const distinct = (facts: FactMessage[]) => [...new Map(facts.map((fact) => [fact.headers.ce_id, fact])).values()]

describe('a process', () => {
  test('whose status guard only warns carries a change out of order out, and says so in its log', async () => {
    const caller = merchantCaller()
    const warning = await startProcess({ ORDER_STATUS_GUARD: 'warn', LOG_LEVEL: 'warn' })
    const { order } = await warning.orders(caller).createOrder(creation())
    const id = order?.id ?? ''
    await warning.orders(caller).updateOrder({ id, status: 'accepted' })
    expect(warning.logged()).not.toContain('out of order')
    const skipped = await warning.orders(caller).updateOrder({ id, status: 'delivered' })
    expect(skipped.order?.status).toBe('delivered')
    await eventually(() => /"level":"warn".*"from":"accepted","to":"delivered".*out of order/.test(warning.logged()))
    await warning.end('SIGTERM')
  })

  test('that is told to stop while Kafka is away keeps its facts, and its successor publishes all of them in order', async () => {
    const caller = merchantCaller()
    const cut = await startProcess({ KAFKA_BROKERS: DEAD_BROKER })
    expect(await cut.ready()).toMatchObject({ status: 'degraded', checks: { database: 'ok' } })
    const placed = await Promise.all(Array.from({ length: 25 }, () => cut.orders(caller).createOrder(creation())))
    const ids = placed.map(({ order }) => order?.id ?? '')
    await Promise.all(ids.map((id) => cut.orders(caller).updateOrder({ id, status: 'delivered' })))
    expect(await cut.end('SIGTERM')).toEqual({ code: 0, signal: null })
    const { rows } = await inspect.query('SELECT count(*)::int AS waiting FROM outbox WHERE published_at IS NULL')
    expect(rows).toEqual([{ waiting: 75 }])

    const successor = await startProcess()
    await eventually(() => ids.every((id) => receivedOf(id).length >= 3))
    for (const id of ids) {
      expect(distinct(receivedOf(id)).map(({ headers }) => [headers.ce_type, headers.ce_aggregateversion])).toEqual([
        ['order.created', '1'],
        ['order.delivered', '2'],
        ['order.status_updated', '3'],
      ])
    }
    expect(await successor.end('SIGTERM')).toEqual({ code: 0, signal: null })
  })

  test('that is told to stop finishes the calls it has begun', async () => {
    const caller = merchantCaller()
    const running = await startProcess()
    const calls = Promise.allSettled(Array.from({ length: 100 }, () => running.orders(caller).createOrder(creation())))
    await eventually(
      async () => (await inspect.query('SELECT 1 FROM orders WHERE merchant_id = $1', [caller.merchantId])).rowCount,
    )
    const exit = await running.end('SIGTERM')
    const accepted = (await calls).flatMap((call) => (call.status === 'fulfilled' ? [call.value.order?.id ?? ''] : []))
    expect(exit).toEqual({ code: 0, signal: null })
    expect(accepted.length).toBeGreaterThan(0)
    const { rows } = await inspect.query<{ id: string }>('SELECT id FROM orders WHERE merchant_id = $1', [
      caller.merchantId,
    ])
    expect(rows.map(({ id }) => id)).toEqual(expect.arrayContaining(accepted))
    const unpublished = await inspect.query('SELECT 1 FROM outbox WHERE published_at IS NULL')
    expect(unpublished.rowCount).toBe(0)
  })

  test('that is killed between simulator steps is continued by the next: every fact comes, once and in order', async () => {
    const caller = merchantCaller()
    const standardized_json = JSON.stringify({
      pickup_address: '1 Marina',
      dropoff_address: '2 Broad',
      customer_phone: '08031234567',
    })
    const doomed = await startProcess()
    const { order } = await doomed.simulator(caller).createAutoSimulatorOrder({
      order: { external_order_id: randomUUID(), standardized_json },
      step_delay_ms: 700,
    })
    const id = order?.id ?? ''
    await eventually(() => receivedOf(id).some(({ headers }) => headers.ce_type === 'order.accepted'))
    expect(await doomed.end('SIGKILL')).toEqual({ code: null, signal: 'SIGKILL' })
    const { rows } = await inspect.query<{ status: string }>('SELECT status FROM orders WHERE id = $1', [id])
    expect(rows[0]?.status).not.toBe('delivered')

    const successor = await startProcess()
    await eventually(() => distinct(receivedOf(id)).length === 7)
    expect(distinct(receivedOf(id)).map(({ headers }) => [headers.ce_aggregateversion, headers.ce_type])).toEqual([
      ['1', 'order.created'],
      ['2', 'order.rider_assigned'],
      ['3', 'order.accepted'],
      ['4', 'order.picked_up'],
      ['5', 'order.status_updated'],
      ['6', 'order.delivered'],
      ['7', 'order.status_updated'],
    ])
    const outbox = await inspect.query('SELECT 1 FROM outbox WHERE aggregate_id = $1', [id])
    expect(outbox.rowCount).toBe(7)
    await successor.end('SIGTERM')
  })
})
