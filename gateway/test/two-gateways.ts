import { Redis } from 'ioredis'
import { startGateway, startUpstream } from './fixture.ts'
import { createVault } from './vault.ts'

/** Two replicas of the gateway with one Redis, before an upstream that knows what the vault has given out. */
export async function startTwoGateways() {
  const vault = await createVault()
  const upstream = await startUpstream(vault)
  const running = await startGateway(upstream)
  const other = await startGateway(upstream, { redisPrefix: running.redisPrefix })
  const redis = new Redis(running.redisUrl)
  return {
    vault,
    upstream,
    running,
    other,
    redis,
    stop: async () => {
      redis.disconnect()
      await Promise.all([running.gateway.stop(), other.gateway.stop()])
      await upstream.stop()
    },
  }
}
