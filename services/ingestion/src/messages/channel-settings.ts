import type { ChannelSettings as Message } from '@svc/contracts/ingestion/v1/channel_service'
import type { ChannelSettings } from '../domain/channel-settings.ts'

/** settings → message, which tells of the secret no more than whether there is one that verifies */
export const channelSettingsMessage = (channel: string, settings: ChannelSettings): Message => ({
  channel,
  secret_configured: typeof settings.secret === 'string',
  updated_at: settings.updatedAt?.toISOString(),
  shop_domain: settings.shopDomain ?? undefined,
  receiver_phone: settings.receiverPhone ?? undefined,
  subject_keyword: settings.subjectKeyword ?? undefined,
  pickup: settings.pickup
    ? { ...settings.pickup, lat: settings.pickup.lat ?? undefined, lng: settings.pickup.lng ?? undefined }
    : undefined,
  lead_minutes: settings.leadMinutes ?? undefined,
  window_minutes: settings.windowMinutes ?? undefined,
})
