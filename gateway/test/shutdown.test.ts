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
