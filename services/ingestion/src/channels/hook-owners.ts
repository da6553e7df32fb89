import type { Context } from '../context.ts'
import { wantedOf } from '../db/channel-settings.ts'
import type { Sorted } from '../domain/hook.ts'
import type { Kept } from './channel.ts'
import { UNKNOWN_RECIPIENT } from './hand-on.ts'
import { sortHook } from './sort-hook.ts'
import type { Proven, Verified } from './verify-hook.ts'

/** Of a mail to more shops than this the others have nothing: each that has it costs a row with all of its notice. */
const MAX_OWNERS = 10

/** Who has a hook as its own, and what it is to that one. */
export interface Owner extends Pick<Proven, 'signer' | 'merchantId'> {
  sorted: Sorted
}

/**
 * Everybody whose hook it is: each that has signed it, or each merchant known here that its body names. One that names nobody
 * known here is kept all the same, as ignored, until it comes again.
 */
export async function hookOwners(
  ctx: Pick<Context, 'database'>,
  kept: Kept,
  { channel, signers: [first, ...more] }: Pick<Verified, 'channel' | 'signers'>,
): Promise<[Owner, ...Owner[]]> {
  const owner = ({ signer, merchantId }: Proven): Owner => ({
    signer,
    merchantId,
    sorted: sortHook(channel, { ...kept, signer }),
  })
  const one = owner(first)
  if (one.merchantId !== undefined || one.sorted.state !== 'received' || !channel.recipientsOf)
    return [one, ...more.map(owner)]

  const named = channel.recipientsOf(kept)
  const wanted = await wantedOf(ctx.database.worker, { merchantIds: named, channel: channel.name })
  const ignored = (reason: string): Sorted => ({ ...one.sorted, state: 'ignored', reason })
  const [known, ...others] = named
    .filter((merchantId) => wanted.has(merchantId))
    .slice(0, MAX_OWNERS)
    .map((merchantId): Owner => {
      const isOrder = channel.isOrderFor?.(kept, wanted.get(merchantId)!) ?? true
      // The body itself says that it is of the first; whose it is beside that must be kept with it.
      const address = merchantId === named[0] ? undefined : merchantId
      return { ...one, merchantId: address, sorted: isOrder ? one.sorted : ignored('no_order') }
    })
  return known ? [known, ...others] : [{ ...one, sorted: ignored(UNKNOWN_RECIPIENT) }]
}
