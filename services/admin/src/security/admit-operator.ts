import type { Caller } from '@svc/grpc'
import { auditOf, type OrmTx } from '@svc/transact'
import type { Context } from '../context.ts'
import { lockOperator } from '../db/operators.ts'
import type { Operator } from '../domain/operator.ts'
import { type AdminToken, adminToken } from './admin-token.ts'

interface Admission {
  id: string
  auth: 'rbac' | 'oidc'
  /** What else has to hold while the operator's row is held; throws where it does not. */
  assert?: (tx: OrmTx, operator: Operator) => Promise<void>
}

/** An admin token with the permissions of the operator's role, as they are now. The log-in is on record. */
export async function admitOperator(
  ctx: Context,
  caller: Caller,
  { id, auth, assert }: Admission,
): Promise<AdminToken> {
  const operator = await ctx.transact('every tenant', async (tx) => {
    const found = await lockOperator(tx.em, id)
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
