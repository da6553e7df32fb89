import { type Part, worker } from '@svc/lifecycle'
import type { Context } from '../context.ts'
import { tellCarried } from '../use-cases/tell-carried.ts'

const POLL_MS = 3_600_000

/** Once per database: riders who carry orders from before commissions were reserved are paid for too. */
export const carriedTeller = (ctx: Pick<Context, 'transact' | 'intents'>): Part =>
  worker({
    name: 'carried-teller',
    pollMs: POLL_MS,
    failed: 'orders under way could not be looked at; their commissions are reserved later',
    work: () => tellCarried(ctx),
  })
