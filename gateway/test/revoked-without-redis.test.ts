import { randomUUID } from 'node:crypto'
import { expect, test } from '@jest/globals'
import { PERMISSIONS } from '@svc/credentials'
import { eventually, freePort } from '@svc/testing'
import { call } from './call.ts'
import { startGateway, startUpstream } from './fixture.ts'
import { createVault } from './vault.ts'

test('while Redis is away what was revoked is refused within the life of a verdict', async () => {
  const vault = await createVault()
  const upstream = await startUpstream(vault)
  const away = await startGateway(upstream, { redisUrl: `redis://127.0.0.1:${await freePort()}` })
  try {
    const id = randomUUID()
    const of = (kind: string) => ({ sub: id, credential: `${kind}:${id}` })
    const [key, keyOfToken] = [vault.key(), vault.key()]
    const uses = [
      ['a key', key, '/v1/orders'],
      ["a key's token", await vault.keyToken(keyOfToken), '/v1/orders'],
      ['a log-in', await vault.login(of('user')), '/v1/orders'],
      ['a rider', await vault.rider(of('rider')), '/v1/riders/me/dispatch-offers'],
      ['an operator', await vault.operator(PERMISSIONS, of('operator')), '/v1/admin/orders'],
    ] as const
    const statusOf = async (token: string, path: string) => (await call(away.url, 'GET', path, { token })).status
    for (const [who, token, path] of uses) expect([who, await statusOf(token, path)]).toEqual([who, 200])

    for (const text of [key, keyOfToken])
      Object.assign(vault.keys.get(vault.entry(text).keyId) as object, { verdict: 'revoked', epoch: 2 })
    for (const kind of ['user', 'rider', 'operator']) vault.epochs.set(`${kind}:${id}`, 2)
    const revokedAt = performance.now()
    // Each in its own time, so that what is told is its own.
    const told = uses.map(async ([who, token, path]) => {
      await eventually(async () => expect(await statusOf(token, path)).toBe(401), { intervalMs: 100 })
      return `${who} ${((performance.now() - revokedAt) / 1000).toFixed(1)} s`
    })
    process.stdout.write(`without Redis refused after: ${(await Promise.all(told)).join(', ')}\n`)
  } finally {
    await away.gateway.stop()
    await upstream.stop()
  }
})
