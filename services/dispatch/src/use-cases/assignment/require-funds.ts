import { ServiceError } from '@svc/errors'
import type { Call } from '@svc/grpc'
import type { Context } from '../../context.ts'
import { deliversByOwnFleet } from '../../db/own-fleet.ts'
import { type Delivery, requiredFunds } from '../../domain/required-funds.ts'

/**
 * Returns if the merchant's wallet bears that this rider carries the order; riders of its fleet cost nothing. Throws
 * insufficient_wallet_for_freelancer_order, and service_unavailable while nobody can say. What is asked of others takes
 * its time: hold no lock.
 */
export async function requireFunds(ctx: Context, call: Call, order: Delivery, riderId: string): Promise<void> {
  const { wallet, config } = ctx
  if (!wallet || !(await isFreelancer(ctx, riderId))) return
  const isOwnFleet = await deliversByOwnFleet(ctx.database, order.merchantId)
  const required = requiredFunds(order, isOwnFleet, config.staticWalletFloorMinor)
  if (required === 0) return
  const { sufficient, required_minor, balance_minor } = await wallet.checkFunds(order, required, call)
  if (sufficient) return
  throw new ServiceError('insufficient_wallet_for_freelancer_order', { details: { required_minor, balance_minor } })
}

async function isFreelancer({ database }: Context, riderId: string): Promise<boolean> {
  const { rowCount } = await database.worker.query(`SELECT FROM riders WHERE id = $1 AND rider_type = 'freelancer'`, [
    riderId,
  ])
  return rowCount === 1
}
