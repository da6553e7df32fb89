import { randomUUID } from 'node:crypto'
import { ServiceError } from '@svc/errors'
import type { By } from '@svc/grpc'
import { metrics } from '@svc/telemetry'
import type { Channel, Header, Kept } from '../channels/channel.ts'
import { handOnInstead, isMadeHere, jobOf } from '../channels/hand-on.ts'
import { hookOwners, type Owner } from '../channels/hook-owners.ts'
import { type Addressed, type Verified, verifiedSigners } from '../channels/verify-hook.ts'
import type { Context } from '../context.ts'
import { Disbelieved } from '../db/receive-hook.ts'
import type { RememberedClaims } from '../db/shop-claims.ts'
import type { Hook } from '../domain/hook.ts'
import { hookReceived } from '../events.ts'

const MAX_BODY_BYTES = 1024 * 1024
const FAILED_RETRY_SECONDS = 10

const received = metrics.counter('hooks_received_total', 'Hooks whose signature was right')

export interface ReceivedHook extends Addressed {
  headers: readonly Header[]
  body: Buffer
  /** Signers that have sent as many as they may for now. */
  exhaustedSigners: ReadonlySet<string>
}

export interface Receipt {
  /** Absent where nothing was kept. */
  id?: string
  status: 'accepted' | 'duplicate' | 'ignored'
  reason?: string
  signer: string
}

/**
 * Believes a hook if its signature is right, keeps it, and announces it where a service wants it; all of that is durable
 * when this resolves; of a signer that has used up its room nothing is kept. Deliveries of one event take effect once, by whichever address they come.
 */
export async function receiveHook(ctx: Context, _by: By, hook: ReceivedHook): Promise<Receipt> {
  if (hook.body.length > MAX_BODY_BYTES) throw new ServiceError('payload_too_large')
  try {
    if (ctx.channels.get(hook.channel)?.isPing?.(hook)) return { status: 'ignored', reason: 'ping', signer: '' }
    const receipt = await judgeAndKeep(ctx, hook).catch((error: unknown) => {
      if (error instanceof Disbelieved) return judgeAndKeep(ctx, hook, { afresh: true })
      throw error
    })
    received.add(1, { channel: hook.channel, status: receipt.status })
    return receipt
  } catch (error) {
    if (error instanceof ServiceError) throw error
    // Any other failure is ours, and passes: the third party shall send the hook again.
    ctx.logger.error({ err: error, channel: hook.channel }, 'a hook could not be kept')
    throw new ServiceError('service_unavailable', { retryAfterSeconds: FAILED_RETRY_SECONDS, cause: error })
  }
}

/** Throws Disbelieved where it is to be judged afresh: what is remembered keeps no hook that is not so, and refuses none. */
async function judgeAndKeep(ctx: Context, hook: ReceivedHook, options?: { afresh: boolean }): Promise<Receipt> {
  const verified = await verifiedSigners(ctx, hook, options)
  const [{ counted }] = verified.signers
  if (hook.exhaustedSigners.has(counted)) throw verified.by ? new Disbelieved() : new ServiceError('rate_limited')
  return { ...(await keepForAll(ctx, hook, verified)), signer: counted }
}

/** Of several merchants each has the hook as its own; the sender hears of one that is news to any. */
async function keepForAll(ctx: Context, hook: ReceivedHook, verified: Verified): Promise<Omit<Receipt, 'signer'>> {
  const { channel, by } = verified
  const sent: Kept = { headers: keptHeaders(channel, hook.headers), body: hook.body }
  const [first, ...more] = await hookOwners(ctx, sent, verified)
  let told = await keep(ctx, channel, { ...sent, ...first }, by)
  // The claims of all were looked at for the first.
  for (const owner of more) {
    const kept = await keep(ctx, channel, { ...sent, ...owner }, null)
    if (told.status !== 'accepted') told = kept
  }
  return told
}

async function keep(
  ctx: Context,
  channel: Channel,
  { headers, body, signer, merchantId, sorted }: Kept & Owner,
  by: RememberedClaims | null,
): Promise<Omit<Receipt, 'signer'>> {
  const hook: Hook = {
    id: randomUUID(),
    channel: channel.name,
    pathMerchantId: merchantId ?? null,
    signer,
    event: sorted.event,
    headers,
    body,
    receivedAt: new Date(),
  }
  const isWanted = sorted.state === 'received'
  const fact = isWanted && !isMadeHere(channel) ? hookReceived(channel, hook, 1) : null
  const job = isWanted && isMadeHere(channel) ? jobOf(hook, sorted) : null
  const kept = await ctx.keepHook({ hook, dedupeKey: channel.dedupeKeyOf(hook), by, sorted, fact, job })
  if (kept.isNew) {
    if (fact) ctx.relay.wake()
    if (job) ctx.normalizer.wake()
    if (sorted.state === 'ignored') return { id: kept.id, status: 'ignored', reason: sorted.reason }
    return { id: kept.id, status: 'accepted' }
  }
  const { isSame } = kept
  const mayCount = !isSame || (isWanted && kept.state === 'ignored')
  const isHandedOn = mayCount && (await handOnInstead(ctx, { ...hook, id: kept.id }, { isSame, isWanted }))
  return { id: kept.id, status: isHandedOn ? 'accepted' : 'duplicate' }
}

const keptHeaders = (channel: Channel, headers: readonly Header[]): Record<string, string> =>
  Object.fromEntries(
    headers.filter(({ name }) => channel.keptHeaders.has(name)).map(({ name, value }) => [name, value]),
  )
