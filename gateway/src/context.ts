import type { Config } from './config.ts'
import { createAuthenticator } from './http/authenticate.ts'
import { clientAddress } from './http/client-address.ts'
import { createKeySet, type KeySet } from './http/key-set.ts'
import type { Edge } from './http/mount.ts'
import { createRateLimiter } from './http/rate-limit.ts'
import { createClients, type Upstreams } from './services.ts'

/** Everything that the gateway stands on. */
export interface Context extends Edge {
  keys: KeySet
  close(): void
}

export function createContext(config: Config, upstreams: Upstreams): Context {
  const clients = createClients(upstreams)
  const keys = createKeySet(clients.credential)
  const limiter = createRateLimiter({
    url: config.redisUrl,
    prefix: config.redisPrefix,
    replicas: config.gatewayReplicas,
    commandTimeoutMs: config.redisCommandTimeoutMs,
  })
  return {
    config,
    clients,
    keys,
    limiter,
    authenticate: createAuthenticator(config, clients.credential, keys),
    addressOf: clientAddress(config.trustedProxies),
    close() {
      limiter.stop()
      for (const client of Object.values(clients)) client.close()
    },
  }
}
