import { ServiceError } from '@svc/errors'
import type { By } from '@svc/grpc'
import type { Context } from '../context.ts'
import { findChannelSettings } from '../db/channel-settings.ts'
import { knownMerchant } from '../db/merchants.ts'
import type { ChannelSettings } from '../domain/channel-settings.ts'

export interface ChannelOfMerchant {
  channel: string
  /** As operators name it. */
  merchantId?: string | undefined
}

/** A merchant's settings of a channel; throws not_found for a channel that does not exist. */
export async function getChannelSettings(
  ctx: Context,
  by: By,
  { channel, merchantId: named }: ChannelOfMerchant,
): Promise<ChannelSettings> {
  const merchantId = await knownMerchant(ctx, by, named)
  if (!ctx.channels.has(channel)) throw new ServiceError('not_found')
  return findChannelSettings(ctx.reads.in({ merchantId, isTest: null }), ctx.openSecret, { merchantId, channel })
}
