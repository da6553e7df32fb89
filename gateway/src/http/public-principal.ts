import type { IncomingHttpHeaders } from 'node:http'
import { type ErrorCode, ServiceError } from '@svc/errors'
import type { Config } from '../config.ts'
import type { ReadApiKey } from './api-key-principal.ts'
import { publicLimits } from './limits.ts'
import type { Identity, Principal } from './principal.ts'
import type { PublicAuth } from './route.ts'

/** Who calls without a credential. */
export const ANYONE: Identity = { kind: 'public', isTest: null, scopes: [], actor: { type: 'system', id: 'public' } }

type ReadPublic = (
  auth: PublicAuth,
  headers: IncomingHttpHeaders,
  address: string,
  params: Readonly<Record<string, string>>,
) => Principal | Promise<Principal>

/** Reads callers of public routes: anyone, of whom a good test key says for which merchant where the route asks. */
export function publicReader(config: Config, readApiKey: ReadApiKey): ReadPublic {
  return (auth, headers, address, params) => {
    const { bodyLimits } = auth
    const anyone: Principal = {
      limits: publicLimits(auth.limits, config, address, params),
      ...(bodyLimits && { limitsOf: (body) => bodyLimits(body as Parameters<typeof bodyLimits>[0], config, address) }),
      credentials: [],
      confirm: () => ANYONE,
    }
    const apiKey = headers['x-api-key']
    return auth.bindsTestKey && typeof apiKey === 'string' ? bound(anyone, () => readApiKey(apiKey, address)) : anyone
  }
}

async function bound(anyone: Principal, read: () => Promise<Principal>): Promise<Principal> {
  const key = await read().catch(ignoreRefusal)
  if (!key) return anyone
  return {
    ...anyone,
    credentials: key.credentials,
    async confirm(epochs) {
      const identity = await Promise.resolve(epochs)
        .then((current) => key.confirm(current))
        .catch(ignoreRefusal)
      return identity?.isTest && identity.merchantId ? { ...ANYONE, merchantId: identity.merchantId } : ANYONE
    },
  }
}

/** What keeps a key from naming its merchant, the last because of others at its address. */
const REFUSALS: ReadonlySet<ErrorCode> = new Set(['unauthorized', 'kyb_required', 'rate_limited'])

/** A key that is refused counts for nothing here; a service that cannot judge it is a failure all the same. */
function ignoreRefusal(error: unknown): undefined {
  if (error instanceof ServiceError && REFUSALS.has(error.code)) return undefined
  throw error
}
