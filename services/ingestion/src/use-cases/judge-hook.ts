import type { Tx } from '@svc/outbox'
import { metrics } from '@svc/telemetry'
import { storeVerdict, type Verdict } from '../db/judge-hook.ts'

const judged = metrics.counter('hooks_judged_total', 'Attempts to use a hook, by what came of them')

/** Writes down what became of a hook; late and repeated verdicts change nothing. */
export async function judgeHook(tx: Tx, verdict: Verdict): Promise<void> {
  if (await storeVerdict(tx, verdict)) judged.add(1, { state: verdict.state })
}
