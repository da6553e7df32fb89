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

test('a service without its database, or one that does not answer, makes the mesh unavailable: 503, named', async () => {
  upstream.readiness.order = { status: 'unavailable', checks: { database: 'failed', kafka: 'ok' } }
  const checks = { ...allWell, database: 'failed', services: { ...served, order: 'failed' } }
  expect(await ready()).toEqual([503, { status: 'unavailable', checks }])
  upstream.readiness.order = { status: 'ok', checks: { database: 'ok', kafka: 'ok' } }
  await upstream.stopAdmin()
  const gone = { ...allWell, services: { ...served, admin: 'failed' } }
  await eventually(async () => expect(await ready()).toEqual([503, { status: 'unavailable', checks: gone }]))
})

test('whoever asks often does not make the services look often', async () => {
  await Promise.all(Array.from({ length: 50 }, ready))
  const questions = upstream.asked.filter(({ rpc }) => rpc === 'getReadiness')
  expect(questions).toHaveLength(6)
})
