import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { eventually } from '@svc/testing'
import { call } from './call.ts'
import { type Running, startGateway, startUpstream, type Upstream } from './fixture.ts'
import { createVault } from './vault.ts'

let upstream: Upstream
let running: Running

beforeEach(async () => {
  upstream = await startUpstream(await createVault())
  running = await startGateway(upstream)
})
afterEach(async () => {
  await running?.gateway.stop()
  await upstream?.stop()
})

const ready = async () => {
  const { status, body } = await call(running.url, 'GET', '/health/ready')
  return [status, body]
}
const served = { order: 'ok', dispatch: 'ok', wallet: 'ok', ingestion: 'ok', webhook: 'ok', admin: 'ok' }
const allWell = { database: 'ok', redis: 'ok', kafka: 'ok', services: served }

test('readiness names every dependency of the mesh, the databases and Kafka as the services see them', async () => {
  expect(await ready()).toEqual([200, { status: 'ok', checks: allWell }])
})

test('without Kafka requests are served all the same: 200 degraded', async () => {
  upstream.readiness.webhook = { status: 'degraded', checks: { database: 'ok', kafka: 'failed' } }
  expect(await ready()).toEqual([200, { status: 'degraded', checks: { ...allWell, kafka: 'failed' } }])
})

const without = (service: string, checks: object = {}) => ({
  ...allWell,
  ...checks,
  services: { ...served, [service]: 'failed' },
})

test('any service but admin that is away, or is without its database, degrades the mesh and is named: 200', async () => {
  for (const name of ['order', 'dispatch', 'wallet', 'ingestion', 'webhook'] as const) {
    upstream.readiness[name] = { status: 'unavailable', checks: { database: 'failed', kafka: 'ok' } }
    const checks = without(name, { database: 'failed' })
    await eventually(async () => expect(await ready()).toEqual([200, { status: 'degraded', checks }]))
    upstream.readiness[name] = { status: 'ok', checks: { database: 'ok', kafka: 'ok' } }
  }
  await upstream.stopDispatch()
  const checks = without('dispatch')
  await eventually(async () => expect(await ready()).toEqual([200, { status: 'degraded', checks }]))
})

test('without admin, or its database, no credential can be judged: 503', async () => {
  upstream.readiness.admin = { status: 'unavailable', checks: { database: 'failed', kafka: 'ok', redis: 'ok' } }
  const checks = without('admin', { database: 'failed' })
  expect(await ready()).toEqual([503, { status: 'unavailable', checks }])
  upstream.readiness.admin = { status: 'ok', checks: { database: 'ok', kafka: 'ok', redis: 'ok' } }
  await upstream.stopAdmin()
  await eventually(async () =>
    expect(await ready()).toEqual([503, { status: 'unavailable', checks: without('admin') }]),
  )
})

test('whoever asks often does not make the services look often', async () => {
  await Promise.all(Array.from({ length: 50 }, ready))
  const questions = upstream.asked.filter(({ rpc }) => rpc === 'getReadiness')
  expect(questions).toHaveLength(6)
})
