import { metrics } from '@svc/telemetry'
import type { Tx } from '@svc/transact'
import { handOn } from '../channels/hand-on.ts'
import type { Context } from '../context.ts'
import { storeVerdict, type Verdict } from '../db/judge-hook.ts'
import { takeNextDelivery } from '../db/other-delivery.ts'

export const judged = metrics.counter('hooks_judged_total', 'Attempts to use a hook, by what came of them')

/**
 * Writes down what became of a hook; late and repeated verdicts change nothing. Where it was refused and has come otherwise
 * meanwhile, that delivery is handed on.
 */
export async function judgeHook(ctx: Context, tx: Tx, verdict: Verdict): Promise<void> {
  if (!(await storeVerdict(tx, verdict))) return
  judged.add(1, { state: verdict.state })
  if (verdict.state !== 'dead') return
  const next = await takeNextDelivery(tx, verdict.hookId)
  if (next) await handOn(ctx, tx, next)
}
