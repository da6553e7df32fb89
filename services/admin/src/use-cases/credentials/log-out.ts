import { verifyToken } from '@svc/credentials'
import { validationError } from '@svc/errors'
import type { By, Caller } from '@svc/grpc'
import type { Scope } from '@svc/transact'
import type { Context } from '../../context.ts'
import { familyScope, lockSession } from '../../db/sessions.ts'
import { unauthorized } from '../../domain/unauthorized.ts'
import { sessionAudit } from '../../events.ts'

/** Ends the family of the refresh token, or of the caller's access token, on every gateway before it returns. */
export async function logOut(
  ctx: Context,
  { caller }: By,
  { refreshToken }: { refreshToken?: string | undefined },
): Promise<void> {
  const family = refreshToken === undefined ? familyOfCaller(caller) : await familyOfToken(ctx, refreshToken)
  if (!family) return
  const ended = await ctx.transact(family.scope, async (tx) => {
    const session = await lockSession(tx.em, family.scope, family.id)
    if (!session || session.revokedAt) return session
    session.revoke(tx.now)
    tx.publish(sessionAudit(caller, session, 'logout'))
    return session
  })
  // Even when nothing changed: the first reply may have been lost together with its publication.
  if (ended) await ctx.epochs.publish([{ credential: `session:${ended.id}`, epoch: ended.epoch }])
}

interface Family {
  id: string
  scope: Scope
}

async function familyOfToken(ctx: Context, token: string): Promise<Family | undefined> {
  const verified = await verifyToken('refresh', token, ctx.signingKeys.verifyingKeys)
  if (verified.ok) return { id: verified.claims.sid, scope: familyScope(verified.claims) }
  // It has ended by itself.
  if (verified.reason === 'expired') return undefined
  throw unauthorized(verified.reason)
}

function familyOfCaller({ kind, merchantId, sessionId }: Caller): Family {
  if (!sessionId) {
    const message = 'refresh_token is required where the credential itself has no session.'
    throw validationError([{ field: 'refresh_token', rule: 'required', message }])
  }
  const isMerchants = kind === 'merchant' && merchantId !== undefined
  return { id: sessionId, scope: isMerchants ? { merchantId, isTest: null } : 'every tenant' }
}
