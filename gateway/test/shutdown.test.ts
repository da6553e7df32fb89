import { Agent, request } from 'node:http'
import { expect, test } from '@jest/globals'
import { eventually } from '@svc/testing'
import { startGateway, startUpstream } from './fixture.ts'
import { createVault } from './vault.ts'

test('stopping answers the request that is running, closes connections that clients keep open, and takes no more', async () => {
  const vault = await createVault()
  const upstream = await startUpstream(vault)
  const { gateway, url } = await startGateway(upstream)
  const agent = new Agent({ keepAlive: true })
  const headers = { authorization: `Bearer ${vault.key()}` }
  const get = () =>
    new Promise<number>((resolve, reject) => {
      const sent = request(`${url}/v1/orders`, { agent, headers }, (response) => {
        response.resume().once('end', () => resolve(response.statusCode ?? 0))
      })
      sent.once('error', reject).end()
    })
  try {
    expect(await get()).toBe(200)
    const { promise: held, resolve: release } = Promise.withResolvers<void>()
    upstream.hold = held
    upstream.asked.length = 0
    const running = get()
    await eventually(() => upstream.asked.length > 0)
    const stopped = gateway.stop()
    expect((await gateway.ready()).status).toBe('unavailable')
    release()
    expect(await running).toBe(200)
    await stopped
    await expect(get()).rejects.toThrow(/ECONNREFUSED|socket hang up|ECONNRESET/)
  } finally {
    agent.destroy()
    await gateway.stop()
    await upstream.stop()
  }
})

test('a gateway that is about to stop ends each connection with its next answer, before it closes any', async () => {
  const vault = await createVault()
  const upstream = await startUpstream(vault)
  const { gateway, url } = await startGateway(upstream)
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const headers = { authorization: `Bearer ${vault.key()}` }
  const connectionAfter = () =>
    new Promise<[status: number | undefined, connection: string | undefined, port: number | undefined]>(
      (resolve, reject) => {
        const sent = request(`${url}/v1/orders`, { agent, headers }, (response) => {
          const { localPort } = response.socket
          response.resume().once('end', () => resolve([response.statusCode, response.headers.connection, localPort]))
        })
        sent.once('error', reject).end()
      },
    )
  try {
    const [, , kept] = await connectionAfter()
    expect(await connectionAfter()).toEqual([200, 'keep-alive', kept])
    gateway.drain()
    expect(await connectionAfter()).toEqual([200, 'close', kept])
    const [status, connection, port] = await connectionAfter()
    expect([status, connection]).toEqual([200, 'close'])
    expect(port).not.toBe(kept)
  } finally {
    agent.destroy()
    await gateway.stop()
    await upstream.stop()
  }
})
