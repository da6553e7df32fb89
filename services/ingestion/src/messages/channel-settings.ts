import type { ChannelSettings } from '@svc/contracts/ingestion/v1/channel_service'
import type { ChannelSecret } from '../domain/channel-secret.ts'

/** secret → message, which tells no more than whether there is one */
export const channelSettingsMessage = (channel: string, { secret, updatedAt }: ChannelSecret): ChannelSettings => ({
  channel,
  secret_configured: secret !== null,
  updated_at: updatedAt?.toISOString(),
})
