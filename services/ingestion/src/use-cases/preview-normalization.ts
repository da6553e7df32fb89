import { validationError } from '@svc/errors'
import type { By } from '@svc/grpc'
import { normalizedHook, standardizedOf } from '../channels/normalized-hook.ts'
import type { Normalized } from '../channels/normalizer.ts'
import { sortHook } from '../channels/sort-hook.ts'
import type { Context } from '../context.ts'
import { findChannelSettings } from '../db/channel-settings.ts'
import { findShop, knownMerchant } from '../db/merchants.ts'

interface Preview {
  said: Normalized
  /** Of an order. */
  standardized: object | null
}

interface Asked {
  channel: string
  merchantId: string
  payload: Buffer
  topic?: string | undefined
}

/** What a hook would come to if it came now, signed. Nothing is kept, and no other service is asked. */
export async function previewNormalization(
  ctx: Context,
  by: By<'every tenant'>,
  { channel: name, merchantId: named, payload: body, topic }: Asked,
): Promise<Preview> {
  const channel = ctx.channels.get(name)
  if (!channel?.normalize) {
    const tells = [...ctx.channels.values()].filter(({ normalize }) => normalize).map((each) => each.name)
    throw validationError([{ field: 'channel', rule: 'enum', message: `channel must be one of ${tells.join(', ')}.` }])
  }
  const merchantId = await knownMerchant(ctx, by, named)
  const headers = topic !== undefined && channel.topicHeader ? { [channel.topicHeader]: topic } : {}
  const { event, state, reason } = sortHook(channel, { headers, body })
  if (state !== 'received')
    return { said: { outcome: state === 'dead' ? 'dead_letter' : 'ignored', reason }, standardized: null }

  const { settings, shop, now } = await ctx.transact(by.scope, async (tx) => ({
    shop: await findShop(tx, merchantId),
    settings: await findChannelSettings(tx, ctx.openSecret, { merchantId, channel: name }),
    now: tx.now,
  }))
  const said = normalizedHook(channel, { event, headers, body, receivedAt: now, timezone: shop?.timezone ?? 'UTC' })
  if (said.outcome !== 'order') return { said, standardized: null }
  const standardized = standardizedOf(said.order, settings, now)
  if (standardized) return { said, standardized }
  return { said: { outcome: 'dead_letter', reason: 'pickup_not_configured', field: 'pickup' }, standardized }
}
