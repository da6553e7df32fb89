import type { Tx } from '@svc/transact'
import type { Context } from '../context.ts'
import { lockHandedOn } from '../db/hooks.ts'
import type { Verdict } from '../db/judge-hook.ts'
import { openJob } from '../db/normalization-jobs.ts'

/**
 * Makes into an order what the service that was asked found to be nothing of its own, where a payment tells of one: null, for
 * that judges the hook. Else the verdict that is left; what moved money there is never an order too.
 */
export async function orderBesideMoney(ctx: Context, tx: Tx, verdict: Verdict): Promise<Verdict | null> {
  const hook = verdict.state === 'ignored' ? await lockHandedOn(tx, verdict.hookId) : null
  if (!hook || hook.attempt !== verdict.attempt) return verdict
  const order = ctx.channels.get(hook.channel)?.orderBeside?.(hook) ?? null
  if (!order) return verdict
  if ('refused' in order) return { ...verdict, state: 'dead', reason: order.refused }
  await openJob(tx, { id: hook.id, channel: hook.channel, ...order })
  tx.afterCommit(() => ctx.normalizer.wake())
  return null
}
