import type { Credential } from '@svc/credentials'
import type { By } from '@svc/grpc'
import { isUuid } from '@svc/inputs'
import type { Context } from '../../context.ts'
import { isOperator } from '../../db/operators.ts'
import { readSessionVerdict, type SessionVerdict } from '../../db/verdicts.ts'

/** Judges what a locally verified token stands on; the epochs of both stand in Redis before the verdict is out. */
export async function verifySession(
  ctx: Context,
  _by: By<'every tenant'>,
  { credential, sessionId }: { credential: string; sessionId: string },
): Promise<SessionVerdict> {
  if (credential.startsWith('operator:')) return verifyOperator(ctx, credential.slice('operator:'.length))
  const row = isUuid(sessionId) ? await readSessionVerdict(ctx.database, credential, sessionId) : undefined
  if (!row) return { verdict: 'revoked' }
  await ctx.epochs.publish([
    { credential: credential as Credential, epoch: row.epoch },
    { credential: `session:${sessionId}`, epoch: row.session_epoch },
  ])
  return { verdict: row.revoked ? 'revoked' : row.suspended ? 'suspended' : 'active', row }
}

/** An operator's token lives as long as the operator; that of the static token as long as there is one. */
async function verifyOperator(ctx: Context, id: string): Promise<SessionVerdict> {
  const alive =
    id === 'static'
      ? ctx.config.adminStaticToken !== undefined
      : await ctx.transact('every tenant', ({ em }) => isOperator(em, id))
  if (!alive) return { verdict: 'revoked' }
  await ctx.epochs.publish([{ credential: `operator:${id}`, epoch: 0 }])
  return { verdict: 'active' }
}
