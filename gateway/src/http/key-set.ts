import { ServiceError } from '@svc/errors'
import { systemCaller } from '@svc/grpc'
import { createLocalJWKSet, errors, type JWTVerifyGetKey } from 'jose'
import type { Clients } from '../services.ts'

const MAX_AGE_MS = 300_000
const MIN_AGE_MS = 5_000

export interface KeySet {
  /** Resolves the key of a token; asks admin again, at most every 5 s, for a key that it does not know. */
  keyOf: JWTVerifyGetKey
  /** The public keys as JSON text. */
  text(): Promise<string>
}

interface Loaded {
  text: string
  keyOf: JWTVerifyGetKey
  atMs: number
}

/** The public keys of tokens, as admin publishes them; the last ones serve on while admin does not answer. */
export function createKeySet(credential: Clients['credential']): KeySet {
  let loaded: Loaded | undefined
  let loading: Promise<Loaded> | undefined

  async function load(): Promise<Loaded> {
    try {
      const { jwks_json: text } = await credential.as(systemCaller('gateway')).getJwks({})
      loaded = { text, keyOf: createLocalJWKSet(JSON.parse(text)), atMs: Date.now() }
      return loaded
    } catch (cause) {
      if (loaded) return loaded
      throw new ServiceError('service_unavailable', { cause })
    } finally {
      loading = undefined
    }
  }

  const current = (maxAgeMs: number) => (loaded && Date.now() - loaded.atMs < maxAgeMs ? loaded : (loading ??= load()))

  return {
    async keyOf(header, token) {
      try {
        return await (await current(MAX_AGE_MS)).keyOf(header, token)
      } catch (error) {
        if (!(error instanceof errors.JWKSNoMatchingKey)) throw error
        return (await current(MIN_AGE_MS)).keyOf(header, token)
      }
    },
    async text() {
      return (await current(MAX_AGE_MS)).text
    },
  }
}
