import { eventually } from '@svc/testing'
import { Api, answered, type Reply } from '../../journeys/merchant.ts'
import type { Rotation } from '../rotation.ts'

const NEXT_KEY = 'new-signing-key'
/** A refresh token may be shown again for ten seconds. */
const REFRESH_EVERY_MS = 1_000

/** As the page on signing keys has it: nobody is logged out, and no gateway refuses what another replica of admin has signed. */
export const tokens: Rotation = {
  name: 'tokens',
  async rotate(rotating) {
    const { told, roll, command, anyone, logIn, system, stream } = rotating
    const gateways = system.baseUrls.map((baseUrl) => new Api(baseUrl))
    const first = await logIn()
    const idle = await logIn()
    let { refresh_token: refresh } = await logIn()
    stream('token of before', 500, async () => answered(200, await askedBy(anyone, first.access_token)))
    stream('new token at every gateway', 500, async () => {
      const { access_token: token } = await logIn()
      for (const gateway of gateways) await untilServed(() => askedBy(gateway, token))
    })
    stream('refresh', REFRESH_EVERY_MS, async () => {
      const next = answered(200, await anyone.post('/v1/auth/refresh', { refresh_token: refresh })).body
      refresh = next.refresh_token
      answered(200, await askedBy(anyone, next.access_token))
    })

    const old = told('admin', 'TOKEN_SIGNING_JWK')
    const fresh = (await command('admin', NEXT_KEY)).trim()
    await roll(['admin'], { TOKEN_PREVIOUS_JWK: fresh })
    await roll(['gateway'], {})
    for (const gateway of gateways) {
      const { keys } = answered(200, await gateway.get('/.well-known/jwks.json')).body
      if (keys.length !== 2) throw new Error(`${gateway.baseUrl} shows ${keys.length} keys`)
    }
    await roll(['admin'], { TOKEN_SIGNING_JWK: fresh, TOKEN_PREVIOUS_JWK: old })
    const kid = kidOf((await logIn()).access_token)
    if (kid !== JSON.parse(fresh).kid) throw new Error('the new key does not sign')
    answered(200, await askedBy(anyone, first.access_token))
    await rotating.endStreams()

    await roll(['admin'], { TOKEN_PREVIOUS_JWK: '' })
    await roll(['gateway'], {})
    answered(401, await askedBy(anyone, first.access_token))
    answered(401, await anyone.post('/v1/auth/refresh', { refresh_token: idle.refresh_token }))
    answered(200, await anyone.post('/v1/auth/refresh', { refresh_token: refresh }))
  },
}

const askedBy = (api: Api, token: string): Promise<Reply> => api.bearing(token).get('/v1/auth/me')

/** One of two gateways may be on its way out: then there is nobody to ask. What it answers must be good at once. */
async function untilServed(ask: () => Promise<Reply>): Promise<void> {
  answered(200, await eventually(ask, { timeoutMs: 60_000, intervalMs: 200 }))
}

function kidOf(token: string): string {
  return JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()).kid
}
