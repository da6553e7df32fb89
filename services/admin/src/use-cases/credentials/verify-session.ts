import type { Credential } from '@svc/credentials'
import { isUuid } from '@svc/inputs'
import type { Context } from '../../context.ts'
import { readSessionVerdict, type SessionVerdictRow } from '../../db/verdicts.ts'
import { Operator } from '../../domain/operator.ts'

export type SessionVerdict =
  | { verdict: 'revoked' }
  | { verdict: 'active' }
  | { verdict: 'active' | 'revoked' | 'suspended'; row: SessionVerdictRow }

/** Judges what a locally verified token stands on; the epochs of both stand in Redis before the verdict is out. */
export async function verifySession(ctx: Context, credential: string, sessionId: string): Promise<SessionVerdict> {
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
      : isUuid(id) && (await ctx.database.workerOrm.em.fork().count(Operator, { id })) > 0
  if (!alive) return { verdict: 'revoked' }
  await ctx.epochs.publish([{ credential: `operator:${id}`, epoch: 0 }])
  return { verdict: 'active' }
}
