import { randomBytes } from 'node:crypto'
import { Redis } from 'ioredis'
import type { Rotation } from '../rotation.ts'

const OLD = 'default'
const FRESH = 'mesh'

/** A second user, then the first is switched off and its connections are ended. */
export const redisUser: Rotation = {
  name: 'redis-user',
  async rotate({ told, roll }) {
    const url = new URL(told('gateway', 'REDIS_URL'))
    const password = randomBytes(24).toString('base64url')
    const old = new Redis(url.href)
    try {
      await old.call('ACL', 'SETUSER', FRESH, 'on', `>${password}`, '~*', '&*', '+@all')
    } finally {
      old.disconnect()
    }
    url.username = FRESH
    url.password = password
    await roll(['admin', 'dispatch', 'gateway'], { REDIS_URL: url.href })
    const fresh = new Redis(url.href)
    try {
      await fresh.call('ACL', 'SETUSER', OLD, 'off')
      const ended = await fresh.call('CLIENT', 'KILL', 'USER', OLD)
      if (ended !== 0) throw new Error(`${String(ended)} connections were the old user's`)
    } finally {
      fresh.disconnect()
    }
  },
}
