import { ServiceError } from '@svc/errors'
import type { By, Tenant } from '@svc/grpc'
import type { Context } from '../context.ts'
import type { OrderDraft } from '../domain/order-draft.ts'
import type { Price } from '../domain/price.ts'
import { writeTenant } from '../domain/tenant.ts'

/**
 * insufficient_wallet_for_freelancer_order when less is available than the order may cost. Nothing is taken or held: two
 * orders may pass on one balance, what counts is the debit itself. A wallet that does not answer refuses as well.
 */
export async function walletRefusal(
  ctx: Pick<Context, 'config' | 'wallet'>,
  by: By<Tenant>,
  draft: OrderDraft,
  price: Price | null,
): Promise<ServiceError | null> {
  const required = requiredMinor(ctx, by, draft, price)
  if (required === null) return null
  try {
    const available = await ctx.wallet.availableMinor(writeTenant(by.scope))
    if (available >= required) return null
    return new ServiceError('insufficient_wallet_for_freelancer_order', {
      details: { required_minor: required, balance_minor: available },
    })
  } catch (error) {
    return new ServiceError('service_unavailable', { cause: error })
  }
}

/** The fee, of which the own fleet's is none; a floor for live orders that were not priced; null: nothing. */
function requiredMinor(
  { config }: Pick<Context, 'config'>,
  { caller }: By,
  { pickup, dropoff }: OrderDraft,
  price: Price | null,
): number | null {
  if (price?.isOwnFleet && (price.fee || (pickup && dropoff))) return null
  if (price?.fee) return price.fee.feeMinor
  return caller.isTest === false ? config.staticWalletFloorMinor : null
}
