import type { Caller } from '@svc/grpc'
import { auditOf, type OrmTx } from '@svc/transact'
import type { Context } from '../context.ts'
import { lockJudgedOperator } from '../db/operators.ts'
import type { Operator } from '../domain/operator.ts'
import { type AdminToken, adminToken } from './admin-token.ts'

interface Admission {
  /** As it was when its password was judged, or its address vouched for. */
  judged: Pick<Operator, 'id' | 'epoch'>
  auth: 'rbac' | 'oidc'
  /** What else has to hold while the operator's row is held; throws where it does not. */
  assert?: (tx: OrmTx, operator: Operator) => Promise<void>
}

/**
 * An admin token with the permissions of the operator's role, as they are now. The log-in is on record. 401 where the operator
 * has ended, or has another password or role, since it was judged.
 */
export async function admitOperator(
  ctx: Context,
  caller: Caller,
  { judged, auth, assert }: Admission,
): Promise<AdminToken> {
  const { id } = judged
  const operator = await ctx.transact('every tenant', async (tx) => {
    const found = await lockJudgedOperator(tx.em, judged)
    await assert?.(tx, found)
    found.lastLoginAt = tx.now
    const actor = { type: 'admin', id } as const
    tx.publish(
      auditOf(
        { ...caller, actor },
        { action: 'operator.login', resourceType: 'operator', resourceId: id, after: { auth } },
      ),
    )
    return found
  })
  return adminToken(ctx, { id, epoch: operator.epoch, permissions: operator.permissions(), auth })
}
