import { ChannelServiceService } from '@svc/contracts/ingestion/v1/channel_service'
import { either, inPerson, liveOnly, merchant, operator, rpc, serving } from '@svc/grpc'
import { text } from '@svc/inputs'
import { z } from 'zod'
import type { Context } from '../context.ts'
import { SETTABLE_FIELDS } from '../domain/channel-settings.ts'
import { channelSettingsMessage } from '../messages/channel-settings.ts'
import { getChannelSettings } from '../use-cases/get-channel-settings.ts'
import { putChannelSettings } from '../use-cases/put-channel-settings.ts'

const degrees = (most: number) =>
  z
    .number()
    .min(-most)
    .max(most)
    .optional()
    .transform((value) => value ?? null)
const MAX_MINUTES = 43_200

const pickup = z
  .object({ address: text(500, 3), lat: degrees(90), lng: degrees(180) })
  .refine(({ lat, lng }) => (lat === null) === (lng === null), {
    path: ['lat'],
    params: { rule: 'required' },
    error: 'lat and lng are required together.',
  })

const change = z
  .object({
    channel: z.string(),
    merchant_id: z.string().optional(),
    secret: text(256, 16).optional(),
    shop_domain: text(300).optional(),
    receiver_phone: text(32).optional(),
    subject_keyword: text(64).optional(),
    pickup: pickup.optional(),
    lead_minutes: z.int().min(0).max(MAX_MINUTES).optional(),
    window_minutes: z.int().min(1).max(MAX_MINUTES).optional(),
    clear_fields: z.array(z.enum(SETTABLE_FIELDS)),
  })
  .transform((sent) => ({
    channel: sent.channel,
    merchantId: sent.merchant_id,
    secret: sent.secret,
    shopDomain: sent.shop_domain,
    receiverPhone: sent.receiver_phone,
    subjectKeyword: sent.subject_keyword,
    pickup: sent.pickup,
    leadMinutes: sent.lead_minutes,
    windowMinutes: sent.window_minutes,
    clearFields: sent.clear_fields,
  }))

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
    handle: async (ctx, by, asked) => ({
      channel_settings: channelSettingsMessage(asked.channel, await putChannelSettings(ctx, by, asked)),
    }),
  }),
})
