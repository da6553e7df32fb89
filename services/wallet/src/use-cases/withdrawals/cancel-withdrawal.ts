import { ServiceError } from '@svc/errors'
import type { Context } from '../../context.ts'
import type { WithdrawalRow } from '../../db/withdrawals.ts'
import type { Owner } from '../../domain/operation.ts'
import { decideWithdrawal, requireStatus } from './decide-withdrawal.ts'
import { enterStatus } from './enter-status.ts'
import { returnReserve } from './move-money.ts'

/** Gives the reserve back while the withdrawal waits for review, and then only. */
export function cancelWithdrawal(ctx: Context, owner: Owner, id: string): Promise<WithdrawalRow> {
  return decideWithdrawal(ctx, id, async (tx, withdrawal) => {
    if (withdrawal.owner_kind !== owner.kind || withdrawal.owner_id !== owner.id) throw new ServiceError('not_found')
    requireStatus(withdrawal, 'pending_review')
    await returnReserve(tx, withdrawal)
    return enterStatus(tx, withdrawal, 'cancelled')
  })
}
