import { type RefreshClaims, SANDBOX_RIDER } from '@svc/credentials'
import type { Context } from '../context.ts'
import { FIRST_EPOCH, riderEpoch } from '../db/rider-credentials.ts'
import { type RiderHolder, riderHolder } from '../domain/holder.ts'
import type { TokenSession } from './token-pair.ts'

/** The `sid` of every token of the shared sandbox rider that is bound to no merchant: such tokens have no family. */
const UNBOUND = 'unbound'
const REFRESHED_FOR_MS = 86_400_000
const CREDENTIAL = `rider:${SANDBOX_RIDER.id}`

/** Whether tokens of the credential and session live by their signature and the rider's epoch alone. */
export const isUnbound = (credential: string, sessionId: string): boolean =>
  credential === CREDENTIAL && sessionId === UNBOUND

/** Whose tokens they are. Ending all tokens of the sandbox rider ends the access tokens of these; what refreshes them ends by time. */
export async function unboundHolder({ transact }: Pick<Context, 'transact'>): Promise<RiderHolder> {
  const epoch = await transact('every tenant', (tx) => riderEpoch(tx, SANDBOX_RIDER.id))
  return riderHolder(SANDBOX_RIDER.id, epoch ?? FIRST_EPOCH, { merchantId: null, isTest: true, minter: null })
}

/** What such a refresh token was made from; undefined for every other token. */
export function unboundSessionOf({ sub, sid, exp }: RefreshClaims, now: Date): TokenSession | undefined {
  if (!isUnbound(`rider:${sub}`, sid)) return undefined
  const expiresAt = new Date(exp * 1000)
  return { ...unboundSession(new Date(expiresAt.getTime() - REFRESHED_FOR_MS)), issuedAt: now, expiresAt }
}

/**
 * What tokens of the shared sandbox rider are made from where no merchant is named. Anybody may ask for them as often as
 * they like, and they show nothing: so nothing is kept of them.
 */
export const unboundSession = (loggedInAt: Date): TokenSession => ({
  id: UNBOUND,
  generation: 1,
  accessTtlSeconds: 3600,
  issuedAt: loggedInAt,
  expiresAt: new Date(loggedInAt.getTime() + REFRESHED_FOR_MS),
  createdAt: loggedInAt,
})
