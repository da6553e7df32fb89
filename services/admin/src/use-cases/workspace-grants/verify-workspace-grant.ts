import type { By } from '@svc/grpc'
import type { Context } from '../../context.ts'
import { type GrantVerdictRow, readGrantVerdict } from '../../db/workspace-grants.ts'
import { grantCredential } from '../../domain/workspace-grant.ts'

interface VerifyWorkspaceGrant {
  grantor: string
  grantee: string
}

/**
 * What one merchant may do for another; undefined where there never was a grant. The epoch of one that there was stands in
 * Redis before the verdict is out. Of pairs without any nothing is put there: their number has no end.
 */
export async function verifyWorkspaceGrant(
  ctx: Context,
  _by: By<'every tenant'>,
  { grantor, grantee }: VerifyWorkspaceGrant,
): Promise<GrantVerdictRow | undefined> {
  const row = await readGrantVerdict(ctx.database, grantor, grantee)
  if (row) await ctx.epochs.publish([{ credential: grantCredential(grantor, grantee), epoch: row.epoch }])
  return row
}
