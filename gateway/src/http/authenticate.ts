import type { IncomingHttpHeaders } from 'node:http'
import type { Config } from '../config.ts'
import type { Clients } from '../services.ts'
import { actingFor } from './acting.ts'
import { apiKeyReader } from './api-key-principal.ts'
import type { KeySet } from './key-set.ts'
import { publicLimits } from './limits.ts'
import type { Principal } from './principal.ts'
import { ANYONE, publicReader } from './public-principal.ts'
import type { RateLimiter } from './rate-limit.ts'
import type { Auth } from './route.ts'
import { isRiderToken, tokenReaders } from './token-principal.ts'
import { malformed, unauthorized } from './unauthorized.ts'

export interface Attempt {
  auth: Auth
  headers: IncomingHttpHeaders
  address: string
  params: Readonly<Record<string, string>>
}

/** Finds the principal of a request, or throws 401; 503 where the service that judges credentials does not answer. */
export type Authenticate = (attempt: Attempt) => Principal | Promise<Principal>

const VERIFIED_KINDS: ReadonlySet<Auth['kind']> = new Set([
  'public',
  'merchant',
  'rider',
  'merchant_or_rider',
  'session',
  'signed',
  'admin',
])

/** Refuses to start with a route that nothing would protect. */
export function assertVerifiable({ kind }: Auth, name: string): void {
  if (!VERIFIED_KINDS.has(kind)) throw new Error(`${name}: nothing verifies credentials of kind ${kind}`)
}

interface Judges {
  config: Config
  credential: Clients['credential']
  grants: Clients['workspaceGrant']
  keys: KeySet
  limiter: RateLimiter
}

export function createAuthenticator({ config, credential, grants, keys, limiter }: Judges): Authenticate {
  const readApiKey = apiKeyReader(config, credential, limiter)
  const tokens = tokenReaders(config, credential, keys)
  const acting = actingFor(config, grants)
  const readPublic = publicReader(config, readApiKey)

  return ({ auth, headers, address, params }) => {
    if (auth.kind === 'public') return readPublic(auth, headers, address, params)
    if (auth.kind === 'session') {
      const limits = publicLimits(auth.limits, config, address, params)
      // A bad token counts as none: the body may name the session instead.
      const [, token] = BEARER.exec(headers.authorization ?? '') ?? []
      return { limits, credentials: [], confirm: async () => (token && (await tokens.holder(token))) || ANYONE }
    }
    const text = presented(headers)
    if (auth.kind === 'admin') return tokens.admin(text)
    if (auth.kind === 'rider') return tokens.rider(text)
    if (auth.kind === 'merchant_or_rider' && isRiderToken(text)) return tokens.rider(text)
    const isKey = text.startsWith('svc_')
    if (auth.kind === 'merchant' && auth.keyOnly && !isKey) throw unauthorized('invalid')
    const principal = isKey ? readApiKey(text, address) : tokens.merchant(text)
    return principal.then((own) => acting(own, headers))
  }
}

const BEARER = /^Bearer +([\x21-\x7e]+) *$/i

/** The credential of a request: the Authorization header wins over X-API-Key. */
function presented(headers: IncomingHttpHeaders): string {
  const { authorization, 'x-api-key': apiKey } = headers
  if (authorization !== undefined) {
    const [, token] = BEARER.exec(authorization) ?? []
    if (!token) throw malformed('scheme')
    return token
  }
  if (typeof apiKey !== 'string' || apiKey === '') throw unauthorized('missing')
  if (!apiKey.startsWith('svc_')) throw malformed('not_a_key')
  return apiKey
}
