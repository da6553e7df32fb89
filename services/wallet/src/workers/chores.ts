import { type Part, repeatedly } from '@svc/lifecycle'
import type { Context } from '../context.ts'
import { sweepSubscriptions } from '../use-cases/billing/sweep-subscriptions.ts'
import { retryWaitingHooks } from '../use-cases/hooks/retry-waiting-hooks.ts'
import { takeIdentifications } from '../use-cases/hooks/take-identifications.ts'
import { sweepTopups } from '../use-cases/topups/sweep-topups.ts'
import { sweepPayouts } from '../use-cases/withdrawals/sweep-payouts.ts'

/** Hooks about the same thing overtake each other by no more than this, as a rule. */
const WAITING_HOOKS_EVERY_MS = 1_000

/** What is done at intervals: hooks that came too early are taken again, payments without a hook are asked about. */
export function chores(ctx: Context): Part[] {
  const { payments } = ctx
  const waitingHooks = repeatedly({
    name: 'waiting hooks',
    everyMs: WAITING_HOOKS_EVERY_MS,
    work: (signal) => retryWaitingHooks(ctx, signal),
  })
  const { kyb } = ctx
  const identifications = repeatedly({
    name: 'identifications',
    everyMs: WAITING_HOOKS_EVERY_MS,
    work: async (signal) => (kyb ? takeIdentifications({ ...ctx, kyb }, signal) : undefined),
  })
  if (!payments) return [waitingHooks, identifications]
  const sweep = (name: string, work: (signal: AbortSignal) => Promise<void>): Part =>
    repeatedly({ name, everyMs: ctx.config.paymentSweepIntervalMs, work })
  return [
    waitingHooks,
    identifications,
    sweep('top-up sweep', (signal) => sweepTopups(ctx, payments, signal)),
    sweep('subscription sweep', (signal) => sweepSubscriptions(ctx, payments, signal)),
    sweep('payout sweep', (signal) => sweepPayouts(ctx, signal)),
  ]
}
