import { ServiceError } from '@svc/errors'
import type { Context } from '../context.ts'
import { findChannelSecret } from '../db/channel-settings.ts'
import type { ChannelSecret } from '../domain/channel-secret.ts'

/** A merchant's secret of a channel, to tell whether there is one; throws not_found for a channel that does not exist. */
export async function getChannelSettings(ctx: Context, merchantId: string, channel: string): Promise<ChannelSecret> {
  if (!ctx.channels.has(channel)) throw new ServiceError('not_found')
  return ctx.transact({ merchantId, isTest: null }, (tx) =>
    findChannelSecret(tx, ctx.secretBox, { merchantId, channel }),
  )
}
