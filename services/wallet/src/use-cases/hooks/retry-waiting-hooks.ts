import type { Context } from '../../context.ts'
import { claimWaitingHook, lockWaitingHook } from '../../db/waiting-hooks.ts'
import { takeHook } from './take-hook.ts'

/** Longer than judging takes. */
const LEASE_MS = 30_000

/** Takes again every hook that is due. Any number of replicas may do this at once. */
export async function retryWaitingHooks(ctx: Context, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const hookId = await ctx.transact('every tenant', (tx) => claimWaitingHook(tx, LEASE_MS, 'ourselves'))
    if (hookId === null) return
    await retry(ctx, hookId).catch((err: unknown) => {
      ctx.logger.warn({ err, hook_id: hookId }, 'a hook could not be judged; it waits on')
    })
  }
}

async function retry(ctx: Context, hookId: string): Promise<void> {
  await ctx.transact('every tenant', async (tx) => {
    const waiting = await lockWaitingHook(tx, hookId)
    if (!waiting) return
    const { since, ...hook } = waiting
    await takeHook(ctx, tx, hook, since)
  })
  ctx.relay.wake()
}
