import { ServiceError } from '@svc/errors'
import type { By } from '@svc/grpc'
import type { Context } from '../context.ts'
import { findChannelSettings, freeShopClaim, storeChannelSettings } from '../db/channel-settings.ts'
import { knownMerchant } from '../db/merchants.ts'
import { type ChannelSettings, changeSettings, type SettingsChange } from '../domain/channel-settings.ts'
import { channelAudit } from '../events.ts'
import type { ChannelOfMerchant } from './get-channel-settings.ts'

/** Changes a merchant's settings of a channel; hooks that come after this resolves are verified by its secret. */
export async function putChannelSettings(
  ctx: Context,
  by: By,
  { channel, merchantId: named, ...change }: ChannelOfMerchant & SettingsChange,
): Promise<ChannelSettings> {
  const key = { merchantId: await knownMerchant(ctx, by, named), channel }
  if (!ctx.channels.has(key.channel)) throw new ServiceError('not_found')
  return ctx.transact({ merchantId: key.merchantId, isTest: null }, async (tx) => {
    const before = await findChannelSettings(tx, ctx.openSecret, key, { lock: true })
    const after = changeSettings(before, change, tx.now)
    if (after === before) return before
    const { shopDomain } = after
    const shopClaim = shopDomain === null ? 1 : await freeShopClaim(tx, ctx.database.worker, { ...key, shopDomain })
    await storeChannelSettings(tx, ctx.secretBox, key, { ...after, shopClaim })
    tx.publish(channelAudit(by.caller, key, before, after))
    return after
  })
}
