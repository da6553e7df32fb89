import { ServiceError } from '@svc/errors'
import type { Call } from '@svc/grpc'
import type { Context } from '../../context.ts'
import { JOB } from '../../db/jobs.ts'
import type { Job } from '../../domain/job.ts'
import { rememberOrder } from './remember-order.ts'

/**
 * What is known of an order that the caller may see; one whose facts are still on the way is asked for. Operators see
 * every order.
 */
export async function jobOf(ctx: Context, call: Call, orderId: string): Promise<Job> {
  const { kind, merchantId, isTest } = call.caller
  const { rows } = await ctx.database.worker.query<Job>(
    `SELECT ${JOB} FROM dispatch_jobs j
      WHERE order_id = $1 AND ($2 OR merchant_id = $3 AND ($4::boolean IS NULL OR is_test = $4))`,
    [orderId, kind === 'admin', merchantId ?? null, isTest],
  )
  if (rows[0]) return rows[0]
  const { order } = await ctx.orders.as(call.caller, { within: call }).getOrder({ id: orderId })
  if (!order) throw new ServiceError('not_found')
  return ctx.transact('every tenant', (tx) => rememberOrder(ctx, tx, order))
}
