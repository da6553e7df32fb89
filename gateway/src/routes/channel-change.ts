import type { PutChannelSettingsRequest } from '@svc/contracts/ingestion/v1/channel_service'
import type * as z from 'zod'
import type { channelChange } from '../schemas/ingestion.ts'
import { nulls } from '../schemas/pieces.ts'

/** What a body asks of a channel, as its service is told. */
export const channelChangeOf = (channel: string, body: z.output<typeof channelChange>): PutChannelSettingsRequest => ({
  channel,
  secret: body.secret ?? undefined,
  clear_fields: nulls(body),
})
