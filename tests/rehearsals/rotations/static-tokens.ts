import { randomBytes } from 'node:crypto'
import { Api, answered, type Reply } from '../../journeys/merchant.ts'
import type { Rotation } from '../rotation.ts'

interface Token {
  variable: string
  process: string
  present: (to: Api, token: string) => Promise<Reply>
}

const TOKENS: readonly Token[] = [
  {
    variable: 'SCIM_TOKEN',
    process: 'gateway',
    present: (to, token) => to.bearing(token).get('/scim/v2/ServiceProviderConfig'),
  },
  {
    variable: 'ADMIN_STATIC_TOKEN',
    process: 'admin',
    present: (to, token) => to.post('/v1/admin/auth/token', { token }),
  },
]

/** What others present to us as it is: both count, they change over, then the old one goes. */
export const staticTokens: Rotation = {
  name: 'static-tokens',
  async rotate({ told, roll, anyone, system, stream, endStreams }) {
    for (const { variable, process, present } of TOKENS) {
      const old = told(process, variable)
      const fresh = randomBytes(32).toString('base64url')
      let presented = old
      stream(variable, 500, async () => answered(200, await present(anyone, presented)))
      await roll([process], { [variable]: `${fresh},${old}` })
      presented = fresh
      await roll([process], { [variable]: fresh })
      await endStreams()
      for (const gateway of system.baseUrls) {
        answered(401, await present(new Api(gateway), old))
        answered(200, await present(new Api(gateway), fresh))
      }
    }
  },
}
