import { ServiceError } from '@svc/errors'
import type { Tx } from '@svc/outbox'
import type { Context } from '../../context.ts'
import { decided } from '../../db/decision.ts'
import { lockWithdrawal, type WithdrawalRow } from '../../db/withdrawals.ts'
import type { WithdrawalStatus } from '../../domain/withdrawal.ts'

/** Decides about a withdrawal under its lock; throws not_found where there is none. */
export async function decideWithdrawal(
  ctx: Context,
  id: string,
  decide: (tx: Tx, withdrawal: WithdrawalRow) => Promise<WithdrawalRow>,
): Promise<WithdrawalRow> {
  const after = await decided(
    ctx.transact('every tenant', async (tx) => {
      const withdrawal = await lockWithdrawal(tx, id)
      if (!withdrawal) throw new ServiceError('not_found')
      return decide(tx, withdrawal)
    }),
  )
  ctx.failpoint('withdrawal.decided')
  return after
}

/** Throws invalid_state where the withdrawal is in any other status. */
export function requireStatus({ status }: WithdrawalRow, wanted: WithdrawalStatus): void {
  if (status !== wanted) throw new ServiceError('invalid_state', { details: { status } })
}
