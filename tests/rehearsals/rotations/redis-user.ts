import { randomBytes } from 'node:crypto'
import { Redis } from 'ioredis'
import { REDIS_RIGHTS } from '../../../deploy/kubernetes/src/secrets.ts'
import type { Rotation } from '../rotation.ts'

const OLD = 'default'
const FRESH = 'mesh'

/** A second user, who is no administrator, then the first is switched off and its connections are ended. */
export const redisUser: Rotation = {
  name: 'redis-user',
  async rotate({ told, roll }) {
    const url = new URL(told('gateway', 'REDIS_URL'))
    const password = randomBytes(24).toString('base64url')
    const administrator = new Redis(url.href)
    try {
      await administrator.call('ACL', 'SETUSER', FRESH, 'on', `>${password}`, ...REDIS_RIGHTS.split(' '))
      url.username = FRESH
      url.password = password
      await roll(['admin', 'dispatch', 'gateway'], { REDIS_URL: url.href })
      await administrator.call('ACL', 'SETUSER', OLD, 'off')
      // But for this one.
      const ended = await administrator.call('CLIENT', 'KILL', 'USER', OLD)
      if (ended !== 0) throw new Error(`${String(ended)} connections were the old user's`)
      const refused = (await administrator.call('ACL', 'LOG')) as unknown[]
      if (refused.length > 0) throw new Error(`the new user asked for more than it may: ${JSON.stringify(refused)}`)
    } finally {
      administrator.disconnect()
    }
  },
}
