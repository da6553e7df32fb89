import { ServiceError } from '@svc/errors'
import type { By } from '@svc/grpc'
import type { Context } from '../context.ts'
import { findChannelSecret, storeChannelSecret } from '../db/channel-settings.ts'
import { knownMerchant } from '../db/merchants.ts'
import { type ChannelSecret, changeSecret, type SecretChange } from '../domain/channel-secret.ts'
import { channelAudit } from '../events.ts'
import type { ChannelOfMerchant } from './get-channel-settings.ts'

/** Changes a merchant's secret of a channel; hooks that come after this resolves are verified by it. */
export async function putChannelSettings(
  ctx: Context,
  by: By,
  { channel, merchantId: named, ...change }: ChannelOfMerchant & SecretChange,
): Promise<ChannelSecret> {
  const key = { merchantId: await knownMerchant(ctx, by, named), channel }
  if (!ctx.channels.has(key.channel)) throw new ServiceError('not_found')
  return ctx.transact({ merchantId: key.merchantId, isTest: null }, async (tx) => {
    const before = await findChannelSecret(tx, ctx.secretBox, key, { lock: true })
    const after = changeSecret(before, change, tx.now)
    if (after === before) return before
    await storeChannelSecret(tx, ctx.secretBox, key, after)
    const [hadSecret, hasSecret] = [before.secret !== null, after.secret !== null]
    tx.publish(channelAudit(by.caller, { ...key, hadSecret, hasSecret }))
    return after
  })
}
