import type { Tx } from '@svc/outbox'
import { metrics } from '@svc/telemetry'
import type { Context } from '../../context.ts'
import { removeWaitingHook, storeWaitingHook } from '../../db/waiting-hooks.ts'
import { type FinalJudgement, refused } from '../../domain/judgement.ts'
import type { ReceivedHook } from '../../domain/payment-hook.ts'
import { hookJudgedFact } from '../../events.ts'
import { applyPaymentEvent } from './apply-payment-event.ts'

/** For how long a hook waits for what it is about. */
const PATIENCE_MS = 24 * 3_600_000
const MIN_PAUSE_MS = 1_000

/**
 * Lets a hook take effect and announces what became of it, in one transaction. One that came before what it is about
 * waits for that: it is taken again soon, then ever more rarely, and refused when it has waited for a day.
 */
export async function takeHook(ctx: Context, tx: Tx, hook: ReceivedHook, since: Date = tx.now): Promise<void> {
  const judgement = await applyPaymentEvent(ctx, tx, hook)
  const waitedMs = tx.now.getTime() - since.getTime()
  if (judgement.outcome === 'waiting' && waitedMs < PATIENCE_MS) {
    const pauseMs = Math.min(Math.max(waitedMs, MIN_PAUSE_MS), ctx.config.paymentSweepIntervalMs)
    return storeWaitingHook(tx, hook, judgement.reason, pauseMs)
  }
  await removeWaitingHook(tx, hook.hookId)
  announce(tx, hook, judgement.outcome === 'waiting' ? refused('unmatched') : judgement)
}

function announce(tx: Tx, hook: ReceivedHook, judgement: FinalJudgement): void {
  tx.publish(hookJudgedFact(hook, judgement))
  const reason = 'reason' in judgement ? judgement.reason : ''
  metrics
    .counter('payment_hooks_total', 'Hooks of the payment provider, by what became of them')
    .add(1, { outcome: judgement.outcome, reason })
}
