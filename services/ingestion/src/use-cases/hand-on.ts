import type { Tx } from '@svc/outbox'
import { type Sorted, sortHook } from '../channels/sort-hook.ts'
import type { Context } from '../context.ts'
import { type DeadLetter, lockDeadLetter, storeAttempt, storeDelivery } from '../db/dead-letters.ts'
import type { Hook } from '../domain/hook.ts'
import { hookReceived } from '../events.ts'

/** Reads a locked dead letter anew and hands it on where it can be used by now; each attempt has the next number. */
export async function handOn(ctx: Context, tx: Tx, hook: Hook): Promise<DeadLetter> {
  const sorted = sortedAnew(ctx, hook)
  const letter = await storeAttempt(tx, hook.id, sorted)
  if (sorted.state === 'received') tx.publish(hookReceived({ ...hook, event: sorted.event }, letter.attempts))
  return letter
}

/**
 * Hands on another delivery of the event of a dead letter in its place; false where it is no open one any more. What could
 * not be used must not keep out what can: the address is not signed, and the first body may have been wrong.
 */
export async function handOnInstead(
  ctx: Context,
  delivery: Hook,
  headers: Readonly<Record<string, string>>,
): Promise<boolean> {
  return ctx.transact('every tenant', async (tx) => {
    const found = await lockDeadLetter(tx, delivery.id)
    if (found?.letter.status !== 'failed') return false
    await storeDelivery(tx, delivery, headers)
    await handOn(ctx, tx, { ...delivery, receivedAt: found.hook.receivedAt })
    return true
  })
}

function sortedAnew({ channels }: Context, { channel: name, event, body }: Hook): Sorted {
  const channel = channels.get(name)
  return channel ? sortHook(channel, body) : { state: 'dead', reason: 'unknown_channel', event, merchantId: null }
}
