import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { eventually, testServers } from '@svc/testing'
import { Redis } from 'ioredis'
import { type Running, startGateway, startUpstream, type Upstream } from './fixture.ts'
import { createVault } from './vault.ts'

const USER = `gateway-${randomUUID()}`
let administrator: Redis
let upstream: Upstream
let running: Running

beforeAll(async () => {
  const { redisUrl } = await testServers()
  administrator = new Redis(redisUrl)
  await administrator.call('ACL', 'SETUSER', USER, 'on', '>password', '~*', '&*', '+@all')
  upstream = await startUpstream(await createVault())
  const url = new URL(redisUrl)
  url.username = USER
  url.password = 'password'
  running = await startGateway(upstream, { redisUrl: url.href })
})
afterAll(async () => {
  await running?.gateway.stop()
  await upstream?.stop()
  await administrator?.call('ACL', 'DELUSER', USER)
  administrator?.disconnect()
})

test('a gateway that Redis lets hear nothing any more goes on, whatever it asks after a lost connection', async () => {
  const unhandled: unknown[] = []
  const hear = (reason: unknown) => void unhandled.push(reason)
  process.on('unhandledRejection', hear)
  await administrator.call('ACL', 'SETUSER', USER, '-subscribe', '-psubscribe', '-ssubscribe')
  await administrator.call('CLIENT', 'KILL', 'USER', USER)
  await eventually(async () => {
    const log = (await administrator.call('ACL', 'LOG')) as unknown[]
    const refused = log.map(String).filter((line) => line.includes(USER) && line.includes('subscribe'))
    expect(refused).not.toEqual([])
  })
  expect((await fetch(`${running.url}/health`)).status).toBe(200)
  process.off('unhandledRejection', hear)
  expect(unhandled).toEqual([])
})
