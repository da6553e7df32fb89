import { ChannelServiceService } from '@svc/contracts/ingestion/v1/channel_service'
import { either, inPerson, liveOnly, merchant, operator, rpc, serving } from '@svc/grpc'
import { text } from '@svc/inputs'
import { z } from 'zod'
import type { Context } from '../context.ts'
import { channelSettingsMessage } from '../messages/channel-settings.ts'
import { getChannelSettings } from '../use-cases/get-channel-settings.ts'
import { putChannelSettings } from '../use-cases/put-channel-settings.ts'

const change = z.object({
  channel: z.string(),
  merchant_id: z.string().optional(),
  secret: text(256, 16).optional(),
  clear_fields: z.array(z.enum(['secret'])),
})

/** The rpcs of a merchant's channels, which are settings of live money alone; operators name the merchant. */
export const channelService = serving<Context>()(ChannelServiceService, {
  getChannelSettings: rpc({
    access: either(liveOnly(merchant('orders:read', 'orders:write')), operator('admin.merchants.read')),
    handle: async (ctx, by, { channel, merchant_id: merchantId }) => ({
      channel_settings: channelSettingsMessage(channel, await getChannelSettings(ctx, by, { channel, merchantId })),
    }),
  }),

  putChannelSettings: rpc({
    access: either(inPerson(liveOnly(merchant('keys:manage'))), operator('admin.merchants.write')),
    input: change,
    handle: async (ctx, by, { channel, merchant_id: merchantId, secret, clear_fields: clearFields }) => {
      const after = await putChannelSettings(ctx, by, { channel, merchantId, secret, clearFields })
      return { channel_settings: channelSettingsMessage(channel, after) }
    },
  }),
})
