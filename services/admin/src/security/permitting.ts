import { ServiceError } from '@svc/errors'
import type { Caller } from '@svc/grpc'
import type { OrmTx } from '@svc/transact'
import { countPermitting, lockPermitting } from '../db/operators.ts'

/**
 * Changes who may do what, one change after the other. It leaves somebody who may change it again, where there was somebody,
 * and an administrator, where there was one: without, and without a static token, nobody could give what is missing.
 */
export async function permitting<R>(tx: OrmTx, caller: Caller, change: () => Promise<R>): Promise<R> {
  await lockPermitting(tx, caller)
  const before = await countPermitting(tx)
  const changed = await change()
  await tx.em.flush()
  const after = await countPermitting(tx)
  if (before.administrators > 0 && after.administrators === 0)
    throw new ServiceError('forbidden', {
      message: 'The last administrator stays one.',
      details: { reason: 'last_administrator' },
    })
  if (before.managers > 0 && after.managers === 0)
    throw new ServiceError('forbidden', {
      message: 'The last operator who may manage operators stays one.',
      details: { reason: 'last_manager' },
    })
  return changed
}
