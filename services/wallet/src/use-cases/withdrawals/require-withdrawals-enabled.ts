import { ServiceError } from '@svc/errors'
import type { Context } from '../../context.ts'

/** Throws feature_disabled where the operator has not switched withdrawals on. */
export function requireWithdrawalsEnabled({ config }: Pick<Context, 'config'>): void {
  if (!config.withdrawalsEnabled) throw new ServiceError('feature_disabled', { details: { feature: 'withdrawals' } })
}
