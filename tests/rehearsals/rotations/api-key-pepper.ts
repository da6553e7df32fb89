import { randomBytes } from 'node:crypto'
import { eventually } from '@svc/testing'
import { Api, answered, signUp } from '../../journeys/merchant.ts'
import type { Rotation } from '../rotation.ts'

const VARIABLE = 'API_KEY_PEPPER'

/** Keys that are used move to the new pepper, which is seen; one that is not ends with the old one. */
export const apiKeyPepper: Rotation = {
  name: 'api-key-pepper',
  async rotate({ told, roll, anyone, merchant, logIn, command, system, stream }) {
    const gateways = system.baseUrls.map((baseUrl) => new Api(baseUrl, merchant.test.headers))
    // From addresses of their own: sign-ups are counted by it.
    const idle = (await signUp(system.baseUrl, '127.77.2.1')).test
    const rare = (await signUp(system.baseUrl, '127.77.2.2')).test
    const owner = anyone.bearing((await logIn()).access_token)
    const list = '/v1/orders?limit=1'
    stream('a key in use', 500, async () => answered(200, await merchant.test.get(list)))
    stream('a new key', 1_000, async () => {
      const { body } = answered(201, await owner.post('/v1/me/api-keys', { label: 'new', is_test: true }))
      for (const gateway of gateways) answered(200, await gateway.bearing(body.api_key).get(list))
      answered(200, await owner.delete(`/v1/me/api-keys/${body.id}`))
    })
    const counted = async () => JSON.parse(await command('admin', 'count-peppers')).api_keys
    const old = told('admin', VARIABLE)
    const fresh = randomBytes(32).toString('base64')
    await roll(['admin'], { [VARIABLE]: `${old},${fresh}` })
    await roll(['admin'], { [VARIABLE]: `${fresh},${old}` })
    const before = await counted()
    answered(200, await rare.get(list))
    const after = await eventually(
      async () => {
        const now = await counted()
        return now.named[1] + now.unnamed < before.named[1] + before.unnamed && now
      },
      { timeoutMs: 60_000, intervalMs: 1_000, message: 'a key that is used moves' },
    )
    console.log(`  ${JSON.stringify(before)}, then ${JSON.stringify(after)}`)
    await roll(['admin'], { [VARIABLE]: fresh })
    for (const gateway of gateways) answered(200, await gateway.get(list))
    answered(200, await rare.get(list))
    answered(401, await idle.get(list))
  },
}
