import type { Tx } from '@svc/transact'
import type { Context } from '../context.ts'
import { type DeadLetter, storeAttempt } from '../db/dead-letters.ts'
import { type NewJob, openJob } from '../db/normalization-jobs.ts'
import { lockHook, storeDelivery, storeNextDelivery } from '../db/other-delivery.ts'
import { EXPIRED, type Hook, type Sorted } from '../domain/hook.ts'
import { hookReceived } from '../events.ts'
import type { Channel } from './channel.ts'
import { sortHook } from './sort-hook.ts'

/** Why a hook is ignored whose body names a merchant that is not known here, or not yet. */
export const UNKNOWN_RECIPIENT = 'unknown_recipient'

/** Reads a locked dead letter anew and hands it on where it can be used by now; each attempt has the next number. */
export async function handOn(ctx: Context, tx: Tx, hook: Hook): Promise<DeadLetter> {
  const channel = ctx.channels.get(hook.channel)
  const sorted = sortedAnew(channel, hook)
  const letter = await storeAttempt(tx, hook.id, sorted)
  if (!channel || sorted.state !== 'received') return letter
  if (isMadeHere(channel)) {
    await openJob(tx, jobOf(hook, sorted))
    tx.afterCommit(() => ctx.normalizer.wake())
  } else tx.publish(hookReceived(channel, { ...hook, event: sorted.event }, letter.attempts))
  return letter
}

/**
 * Hands on another delivery of the event of a dead letter, expired or not, in its place; true where it did. Of a hook without a
 * verdict it is kept until there is one. What could not be used must not keep out what can: the address is not signed, and the
 * first body may have been wrong. So it is with one that came before its merchant was known here, even by the same bytes.
 */
export async function handOnInstead(
  ctx: Context,
  delivery: Hook,
  { isSame, isWanted }: { isSame: boolean; isWanted: boolean },
): Promise<boolean> {
  return ctx.transact('every tenant', async (tx) => {
    const kept = await lockHook(tx, delivery.id)
    if (!kept) return false
    if (!isSame && (kept.state === 'received' || kept.state === 'retrying')) await storeNextDelivery(tx, delivery)
    const isDead = kept.state === 'dead' || (kept.state === 'ignored' && kept.reason === EXPIRED)
    const cameEarly = isWanted && kept.state === 'ignored' && kept.reason === UNKNOWN_RECIPIENT
    if (!cameEarly && (isSame || !isDead)) return false
    await storeDelivery(tx, delivery)
    await handOn(ctx, tx, { ...delivery, receivedAt: kept.receivedAt })
    return true
  })
}

/** Whether hooks of a channel are made into orders before anybody else judges them. */
export const isMadeHere = ({ normalize, orderBeside }: Channel): boolean => normalize !== undefined && !orderBeside

/** What is to be made of a hook that tells of an order; the merchant of the address comes before that of the body. */
export function jobOf({ id, channel, pathMerchantId }: Hook, { merchantId, externalOrderId }: Sorted): NewJob {
  const owner = pathMerchantId ?? merchantId
  if (owner === null) throw new TypeError(`a hook of ${channel} names no merchant`)
  return { id, channel, merchantId: owner, externalOrderId }
}

const sortedAnew = (channel: Channel | undefined, hook: Hook): Sorted =>
  channel
    ? sortHook(channel, hook)
    : { state: 'dead', reason: 'unknown_channel', event: hook.event, merchantId: null, externalOrderId: null }
