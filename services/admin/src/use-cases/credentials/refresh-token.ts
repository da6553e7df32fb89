import { type RefreshClaims, verifyToken } from '@svc/credentials'
import type { By, Caller } from '@svc/grpc'
import { createLogger } from '@svc/logging'
import type { OrmTx, Scope } from '@svc/transact'
import type { Context } from '../../context.ts'
import { assertAlive, findHolderOf } from '../../db/holders.ts'
import { familyScope, lockSession } from '../../db/sessions.ts'
import { type GrantVerdictRow, readGrantVerdict } from '../../db/workspace-grants.ts'
import { admitsTo, delegated, type Holder, isRider } from '../../domain/holder.ts'
import type { Session } from '../../domain/session.ts'
import { unauthorized } from '../../domain/unauthorized.ts'
import { sessionAudit } from '../../events.ts'
import { type TokenPair, tokenPair } from '../../security/token-pair.ts'
import { unboundHolder, unboundSessionOf } from '../../security/unbound-session.ts'

const logger = createLogger('refresh')

type Presented = { kind: 'alive'; session: Session; holder: Holder } | { kind: 'reused'; session: Session }

/**
 * Trades a refresh token for the next pair, once. For ten seconds, and until the next refresh token is used, the same
 * token gets the same bytes again; any other second use ends the whole family, for one of its two holders is a thief.
 */
export async function refreshToken(ctx: Context, { caller }: By, { token }: { token: string }): Promise<TokenPair> {
  const verified = await verifyToken('refresh', token, ctx.signingKeys.verifyingKeys)
  if (!verified.ok) throw unauthorized(verified.reason)
  const { claims } = verified
  const unbound = unboundSessionOf(claims, new Date())
  // As often as asked: there is no row that could tell a second use.
  if (unbound) return tokenPair(ctx, unbound, await unboundHolder(ctx))
  const scope = familyScope(claims)
  const grant = await grantOf(ctx, claims)
  // A reuse is answered and not thrown: the revocation has to be committed.
  const presented = await ctx.transact(scope, (tx) => present(tx, scope, caller, { claims, grant }))
  if (presented.kind === 'alive') return tokenPair(ctx, presented.session, presented.holder)

  const { id, epoch, credential } = presented.session
  logger.warn({ session: id, credential }, 'a refresh token was used again; its family is revoked')
  await ctx.epochs.publish([{ credential: `session:${id}`, epoch }])
  throw unauthorized('revoked')
}

/** By which the family acts for another merchant; a grant is no tenant's own row. */
async function grantOf({ database }: Context, { merchant_id, grantor_merchant_id }: RefreshClaims) {
  if (merchant_id === undefined || grantor_merchant_id === undefined) return undefined
  return readGrantVerdict(database, grantor_merchant_id, merchant_id)
}

/** A refresh token, and the grant on which its family stands, if it does on one. */
interface Shown {
  claims: RefreshClaims
  grant: GrantVerdictRow | undefined
}

async function present(tx: OrmTx, scope: Scope, caller: Caller, { claims, grant }: Shown): Promise<Presented> {
  const session = await lockSession(tx.em, scope, claims.sid)
  const own = session ? await findHolderOf(tx, session) : undefined
  if (!session || !own) throw unauthorized('invalid')
  const holder = actingHolder(session, own, grant)
  // The key has another secret since: the family is dead, whether or not its row says so by now.
  const isOfFormerSecret = !isRider(holder) && session.keyRotations !== holder.rotations
  if (session.revokedAt || isOfFormerSecret) throw unauthorized('revoked')
  await assertAlive(tx.em, holder)

  const presentation = session.judge(claims.gen, tx.now)
  if (presentation === 'reuse') {
    session.revoke(tx.now)
    tx.publish(sessionAudit(caller, session, 'refresh_reuse'))
    return { kind: 'reused', session }
  }
  if (presentation === 'rotate') session.rotate(tx.now, new Date())
  return { kind: 'alive', session, holder }
}

/** The holder as the family acts: for another merchant as long as the grant of its beginning stands. */
function actingHolder(
  { grantorMerchantId, grantEpoch }: Session,
  own: Holder,
  grant: GrantVerdictRow | undefined,
): Holder {
  if (!grantorMerchantId || isRider(own)) return own
  if (!admitsTo(grant, own.isTest) || grant.epoch !== grantEpoch) throw unauthorized('revoked')
  return delegated(own, grantorMerchantId, grant)
}
