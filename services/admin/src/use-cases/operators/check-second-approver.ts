import type { By } from '@svc/grpc'
import type { Tx } from '@svc/transact'
import type { Context } from '../../context.ts'
import { makersOf } from '../../db/operator-makers.ts'
import { findOperator } from '../../db/operators.ts'
import { type Approver, areTwoPeople, STATIC } from '../../domain/two-people.ts'

interface CheckSecondApprover {
  firstApproverId: string
  /** When the act began that takes two operators: a second one who is younger could be made for it. */
  existedBefore: Date
}

/** Whether the caller may approve what another operator has approved: as a second person, who was there before. */
export async function checkSecondApprover(
  ctx: Context,
  { caller, scope }: By<'every tenant'>,
  { firstApproverId, existedBefore }: CheckSecondApprover,
): Promise<boolean> {
  const { id } = caller.actor
  return ctx.transact(scope, async (tx) => {
    const operator = id === STATIC ? null : await findOperator(tx.em, id)
    const existed = id === STATIC || (operator !== null && operator.createdAt < existedBefore)
    if (!existed) return false
    return areTwoPeople(await approver(tx, firstApproverId), await approver(tx, id))
  })
}

const approver = async (tx: Tx, id: string): Promise<Approver> => ({
  id,
  makers: await makersOf(tx, id),
  holders: await makersOf(tx, id, ['identity', 'password']),
})
