import type { By } from '@svc/grpc'
import type { Plan } from '@svc/payments'
import type { Context } from '../../context.ts'

/** The plans that can be subscribed to, as of the last minute. */
export const listPlans = (ctx: Context, _by: By): Promise<Plan[]> => ctx.plans()
