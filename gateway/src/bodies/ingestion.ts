import type { ChannelSettings, PutChannelSettingsRequest } from '@svc/contracts/ingestion/v1/channel_service'
import type { DeadLetter, ReceiveHookResponse } from '@svc/contracts/ingestion/v1/hook_service'
import { atLeastOne, text } from '@svc/inputs'
import { fieldsOf, id, instant, orNull, page, whole, words } from '@svc/public-bodies'
import * as z from 'zod'
import { nulls, withoutNulls } from './pieces.ts'

const CHANNELS = ['payments-a'] as const

/** Third parties whose hooks a merchant may connect with a secret of its own. */
export const channelName = z.enum(CHANNELS)

export const channel = z
  .object(
    fieldsOf<ChannelSettings>()({
      channel: words(...CHANNELS),
      secret_configured: z.boolean(),
      updated_at: orNull(instant),
    }),
  )
  .meta({ id: 'IngestionChannel' })

export const channelChange = atLeastOne(
  z.strictObject({
    secret: text(256, 16).nullable().optional().meta({ description: 'Signs the hooks; never shown. null clears it' }),
  }),
)

/** What a body asks of a channel, as its service is told. */
export const channelChangeOf = (channel: string, body: z.output<typeof channelChange>): PutChannelSettingsRequest => ({
  channel,
  ...withoutNulls(body),
  clear_fields: nulls(body),
})

/** A hook that was genuine and could not be used. */
const deadLetter = z
  .object({
    ...fieldsOf<DeadLetter>()({
      id,
      channel: z.string(),
      merchant_id: orNull(id),
      status: words('failed', 'retrying', 'resolved'),
      attempts: whole,
      error: z.string().meta({ example: 'amount_mismatch' }),
      event: z.string().meta({ description: "The provider's name of it" }),
      created_at: instant,
      resolved_at: orNull(instant),
    }),
    raw_ref: z.string().meta({ description: 'Of the stored bytes' }),
    order_id: orNull(id),
  })
  .meta({ id: 'DeadLetter' })

/** The bytes are stored under the id of the hook itself, and no hook is one of an order yet. */
export const deadLetterOf = (letter: DeadLetter) => ({ ...letter, raw_ref: letter.id, order_id: null })

export const deadLetterList = page('items', deadLetter)
export const retriedDeadLetter = z.object({ ok: z.literal(true), dead_letter: deadLetter })

/** What a provider is answered. */
export const receivedHook = z.object({
  received: z.literal(true),
  ...fieldsOf<ReceiveHookResponse>()({
    status: words('accepted', 'duplicate', 'ignored'),
    id: orNull(id).meta({ description: 'null: nothing was stored' }),
    reason: z.string().optional(),
  }),
})
