import type { Credential } from '@svc/credentials'
import type { By } from '@svc/grpc'
import { isUuid } from '@svc/inputs'
import type { Context } from '../../context.ts'
import { findOperator } from '../../db/operators.ts'
import { readSessionVerdict, type SessionVerdict } from '../../db/verdicts.ts'
import { STATIC } from '../../domain/two-people.ts'
import { isUnbound, unboundHolder } from '../../security/unbound-session.ts'

/** Judges what a locally verified token stands on; the epochs of all stand in Redis before the verdict is out. */
export async function verifySession(
  ctx: Context,
  _by: By<'every tenant'>,
  { credential, sessionId }: { credential: string; sessionId: string },
): Promise<SessionVerdict> {
  if (credential.startsWith('operator:')) return verifyOperator(ctx, credential.slice('operator:'.length))
  if (isUnbound(credential, sessionId)) return verifyUnbound(ctx)
  const row = isUuid(sessionId) ? await readSessionVerdict(ctx.database, credential, sessionId) : undefined
  if (!row) return { verdict: 'revoked' }
  await ctx.epochs.publish([
    { credential: credential as Credential, epoch: row.epoch },
    { credential: `session:${sessionId}`, epoch: row.session_epoch },
    ...(row.minted_by && row.minter_epoch !== null ? [{ credential: row.minted_by, epoch: row.minter_epoch }] : []),
  ])
  return { verdict: row.revoked ? 'revoked' : row.suspended ? 'suspended' : 'active', row }
}

/** Without a family such a token lives by its own time, in the epoch of its rider. */
async function verifyUnbound(ctx: Context): Promise<SessionVerdict> {
  const { credential, epoch } = await unboundHolder(ctx)
  await ctx.epochs.publish([{ credential, epoch }])
  return { verdict: 'active', epoch }
}

/** An operator's token lives as long as the operator, its password, its role and RBAC; that of the static token as long as there is one. */
async function verifyOperator(ctx: Context, id: string): Promise<SessionVerdict> {
  const epoch = id === STATIC ? staticEpoch(ctx) : await operatorEpoch(ctx, id)
  if (epoch === undefined) return { verdict: 'revoked' }
  await ctx.epochs.publish([{ credential: `operator:${id}`, epoch }])
  return { verdict: 'active', epoch }
}

const staticEpoch = ({ config }: Context): number | undefined => (config.adminStaticToken === undefined ? undefined : 0)

async function operatorEpoch(ctx: Context, id: string): Promise<number | undefined> {
  if (!ctx.config.rbacEnabled) return undefined
  return (await ctx.transact('every tenant', ({ em }) => findOperator(em, id)))?.epoch
}
