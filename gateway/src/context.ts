import type { Config } from './config.ts'
import { createAccessLog } from './http/access-log.ts'
import { createAuthenticator } from './http/authenticate.ts'
import { clientAddress } from './http/client-address.ts'
import { createKeySet, type KeySet } from './http/key-set.ts'
import type { Edge } from './http/mount.ts'
import { createRateLimiter } from './http/rate-limit.ts'
import { Turns } from './http/turns.ts'
import { UnderWay } from './http/under-way.ts'
import { createClients, type Upstreams } from './services.ts'

/** As many signed posts of one network wait to be judged: each of them is held whole. */
const MAX_WAITING_POSTS = 100

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
    authenticate: createAuthenticator({
      config,
      credential: clients.credential,
      grants: clients.workspaceGrant,
      keys,
      limiter,
    }),
    accessLog: createAccessLog(config.accessLogSample),
    addressOf: clientAddress(config.trustedProxies),
    suspects: new Turns(MAX_WAITING_POSTS),
    judgements: new UnderWay(limiter, MAX_WAITING_POSTS),
    close() {
      limiter.stop()
      for (const client of Object.values(clients)) client.close()
    },
  }
}
