import { ServiceError } from '@svc/errors'
import type { By } from '@svc/grpc'
import type { Context } from '../context.ts'
import { findChannelSecret } from '../db/channel-settings.ts'
import { knownMerchant } from '../db/merchants.ts'
import type { ChannelSecret } from '../domain/channel-secret.ts'

export interface ChannelOfMerchant {
  channel: string
  /** As operators name it. */
  merchantId?: string | undefined
}

/** A merchant's secret of a channel, to tell whether there is one; throws not_found for a channel that does not exist. */
export async function getChannelSettings(
  ctx: Context,
  by: By,
  { channel, merchantId: named }: ChannelOfMerchant,
): Promise<ChannelSecret> {
  const merchantId = await knownMerchant(ctx, by, named)
  if (!ctx.channels.has(channel)) throw new ServiceError('not_found')
  return findChannelSecret(ctx.reads.in({ merchantId, isTest: null }), ctx.secretBox, { merchantId, channel })
}
