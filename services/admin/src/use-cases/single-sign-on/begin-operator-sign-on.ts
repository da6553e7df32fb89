import { ServiceError } from '@svc/errors'
import type { Context } from '../../context.ts'
import { type BegunSignOn, beginSignOn } from '../../security/sign-on.ts'

/** Begins a log-in of an operator, for one browser. */
export async function beginOperatorSignOn(ctx: Context): Promise<BegunSignOn> {
  if (!ctx.config.rbacEnabled) throw new ServiceError('feature_disabled')
  return beginSignOn(ctx, 'operator')
}
