import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { eventually } from '@svc/testing'
import { Redis } from 'ioredis'
import { PROCESSES } from '../mesh-certificates.ts'
import type { Rotating, Rotation } from '../rotation.ts'

/** Of admin, dispatch and gateway. */
const CLIENTS_OF_REDIS = 6
/** Of each of them several. */
const MANY_REFUSALS = 30

/**
 * All trust both authorities before a server shows a certificate of the second, and the first alone goes when none does any
 * more. Postgres and Redis read another one at work, Kafka at its start.
 */
export const serverAuthority: Rotation = {
  name: 'server-authority',
  async rotate(rotating) {
    const { servers, kafka, sql, tell, told, rollTogether } = rotating
    const redis = new Redis(told('gateway', 'REDIS_URL'))
    const showAtAll = async () => {
      await servers.showAtPostgres(sql)
      await servers.showAtRedis(redis)
      await kafka.show(servers.of())
    }
    try {
      // As in an overlay for Kubernetes, where nothing else is known.
      await showAtAll()
      for (const process of PROCESSES)
        tell(
          process,
          servers.linksOf((variable) => told(process, variable), process),
        )
      await rollTogether(PROCESSES)

      const fresh = servers.found()
      servers.trust(servers.first, fresh)
      await rollTogether(PROCESSES)
      servers.sign(fresh)
      await showAtAll()
      servers.trust(fresh)
      await rollTogether(PROCESSES)

      servers.sign(servers.first)
      await servers.showAtRedis(redis)
      await showRefused(rotating, redis)
      servers.sign(fresh)
      await servers.showAtRedis(redis)
      await eventually(async () => (await encrypted(rotating, redis)) >= CLIENTS_OF_REDIS, { timeoutMs: 30_000 })
    } finally {
      redis.disconnect()
    }
  },
}

/** Throws where a process comes back to a Redis with a certificate of the authority that is trusted no more. */
async function showRefused(rotating: Rotating, redis: Redis): Promise<void> {
  const before = refusals(rotating)
  for (const kind of ['normal', 'pubsub']) await redis.call('CLIENT', 'KILL', 'TYPE', kind)
  await eventually(() => refusals(rotating) >= before + MANY_REFUSALS)
  if ((await encrypted(rotating, redis)) > 0) throw new Error('a process takes a server of the old authority')
}

/** How many clients have gone away when they had seen the certificate, as the log of Redis has it. */
function refusals({ system }: Rotating): number {
  const log = system.logFiles().find((file) => basename(file) === 'redis.log')
  return readFileSync(log!, 'utf8').split('Error accepting a client connection').length
}

/** How many have come by TLS and asked for something. */
async function encrypted({ servers }: Rotating, redis: Redis): Promise<number> {
  const clients = String(await redis.client('LIST')).split('\n')
  return clients.filter(
    (line) => line.includes(` laddr=127.0.0.1:${servers.redisPort} `) && !line.includes(' cmd=NULL '),
  ).length
}
