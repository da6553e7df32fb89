import { afterEach, expect, test } from '@jest/globals'
import { composeService, opsServer, type Service } from '@svc/lifecycle'
import { metrics } from '@svc/telemetry'

let stop: () => Promise<void> = async () => {}
afterEach(() => stop())

async function start(probe: () => Promise<void>, required: boolean) {
  const ops = opsServer({ host: '127.0.0.1', port: 0, service: () => service })
  const service: Service = composeService([ops], { checks: { database: { required, probe } } })
  await service.start()
  stop = () => service.stop()
  return (path: string) => fetch(`http://${ops.address()}${path}`)
}

const down = async () => {
  throw new Error('down')
}

test('liveness is 200 even when a dependency is down, so that nobody restarts a healthy process', async () => {
  const get = await start(down, true)
  const response = await get('/health')
  expect([response.status, await response.json()]).toEqual([200, { status: 'ok' }])
})

test('serving is what a load balancer asks: 200 whatever other processes do, 503 from the signal to stop on', async () => {
  const ops = opsServer({ host: '127.0.0.1', port: 0, service: () => service })
  const service: Service = composeService([ops], { checks: { database: { required: true, probe: down } } })
  stop = () => service.stop()
  await service.start()
  const get = async () => {
    const response = await fetch(`http://${ops.address()}/health/serving`)
    return [response.status, await response.json()]
  }
  expect(await get()).toEqual([200, { status: 'ok' }])
  service.drain()
  expect(await get()).toEqual([503, { status: 'unavailable' }])
})

test('readiness is 503 without a required dependency and 200 degraded without an optional one', async () => {
  const required = await (await start(down, true))('/health/ready')
  expect([required.status, await required.json()]).toEqual([
    503,
    { status: 'unavailable', checks: { database: 'failed' } },
  ])
  await stop()
  const optional = await (await start(down, false))('/health/ready')
  expect([optional.status, await optional.json()]).toEqual([
    200,
    { status: 'degraded', checks: { database: 'failed' } },
  ])
})

test('metrics are served as Prometheus text', async () => {
  metrics.counter('ops_test', 'Of this test.').add(1)
  const response = await (await start(async () => {}, true))('/metrics')
  expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
  expect(await response.text()).toMatch(/^ops_test_total 1$/m)
})

test('metrics tell which server a process does not reach, one that hangs included, and how the process is', async () => {
  const text = async (probe: () => Promise<void>) => (await (await start(probe, true))('/metrics')).text()
  expect(await text(async () => {})).toMatch(/^health_check{check="database"} 1$/m)
  await stop()
  expect(await text(down)).toMatch(/^health_check{check="database"} 0$/m)
  await stop()
  const shown = await text(() => new Promise(() => {}))
  expect(shown).toMatch(/^health_check{check="database"} 0$/m)
  for (const name of [
    'process_cpu_seconds_total',
    'process_resident_memory_bytes',
    'process_open_fds',
    'nodejs_heap_used_bytes',
    'nodejs_eventloop_utilization_ratio',
    'nodejs_eventloop_delay_p99_seconds',
    'build_info{version="source"',
  ])
    expect(shown).toContain(`\n${name}`)
})

test('nothing else is served', async () => {
  expect((await (await start(async () => {}, true))('/')).status).toBe(404)
})
