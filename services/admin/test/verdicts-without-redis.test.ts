import { expect, test } from '@jest/globals'
import { freePort } from '@svc/testing'
import { signUp, startAdmin, verify } from './start-admin.ts'

test('without Redis keys are judged, minted and revoked all the same', async () => {
  const admin = await startAdmin({ REDIS_URL: `redis://127.0.0.1:${await freePort()}` })
  try {
    const { api_key, caller, key } = await signUp(admin)
    expect((await verify(admin, api_key)).verdict).toBe('active')
    await admin.apiKeys.as(caller).revokeApiKey({ id: key!.id })
    expect((await verify(admin, api_key)).verdict).toBe('revoked')
    const { status, checks } = await admin.service.ready()
    expect({ status, redis: checks['redis'] }).toEqual({ status: 'degraded', redis: 'failed' })
  } finally {
    await admin.stop()
  }
})
