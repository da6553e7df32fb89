import type { NextFunction, Request, Response } from 'express'
import { z } from 'zod'
import type { Provider } from './provider.ts'

export const credentialsSchema = z.strictObject({ provider: z.string(), taken: z.array(z.string()).min(1) })

/** How often clients have come with a credential. */
interface Seen {
  provider: string
  credential: string
  taken: number
  refused: number
}

/** With which credentials clients are taken: with any, until somebody says which. */
export interface Credentials {
  /** Of the clients of that provider those with these alone are taken from now on. */
  take(provider: string, taken: readonly string[]): void
  seen(): Seen[]
  clear(): void
  /** Middleware of one provider; stands after the recorder, so that a request that is refused is on record. */
  judge(provider: Provider): (request: Request, response: Response, next: NextFunction) => void
}

export function createCredentials(): Credentials {
  const taken = new Map<string, readonly string[]>()
  const seen = new Map<string, Seen>()

  const seenOf = (provider: string, credential: string): Seen => {
    const key = JSON.stringify([provider, credential])
    const known = seen.get(key) ?? { provider, credential, taken: 0, refused: 0 }
    seen.set(key, known)
    return known
  }

  return {
    take: (provider, credentials) => void taken.set(provider, credentials),
    seen: () => [...seen.values()],
    clear() {
      taken.clear()
      seen.clear()
    },
    judge: (provider) => (request, response, next) => {
      const credential = provider.bears?.(request)
      if (credential === undefined) return next()
      const borne = seenOf(provider.name, credential)
      if (taken.get(provider.name)?.includes(credential) ?? true) {
        borne.taken += 1
        return next()
      }
      borne.refused += 1
      const message = 'This credential is not taken any more.'
      response.status(401).json(provider.refusal?.(message) ?? { statusCode: 401, name: 'unauthorized', message })
    },
  }
}
