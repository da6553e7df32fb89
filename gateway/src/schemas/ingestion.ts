import { atLeastOne, text, timestamp, uuid } from '@svc/inputs'
import * as z from 'zod'
import { page } from './pieces.ts'

/** Third parties whose hooks a merchant may connect with a secret of its own. */
export const channelName = z.enum(['payments-a'])

export const channel = z
  .strictObject({
    channel: channelName,
    secret_configured: z.boolean(),
    updated_at: timestamp.nullable(),
  })
  .meta({ id: 'IngestionChannel' })

export const channelChange = atLeastOne(
  z.strictObject({
    secret: text(256, 16).nullable().optional().meta({ description: 'Signs the hooks; never shown. null clears it' }),
  }),
)

/** A hook that was genuine and could not be used. */
const deadLetter = z
  .strictObject({
    id: uuid,
    channel: z.string(),
    merchant_id: uuid.nullable(),
    status: z.enum(['failed', 'retrying', 'resolved']),
    attempts: z.int(),
    error: z.string().meta({ example: 'amount_mismatch' }),
    event: z.string().meta({ description: "The provider's name of it" }),
    raw_ref: z.string().meta({ description: 'Of the stored bytes' }),
    order_id: uuid.nullable(),
    created_at: timestamp,
    resolved_at: timestamp.nullable(),
  })
  .meta({ id: 'DeadLetter' })

export const deadLetterList = page('items', deadLetter)
export const retriedDeadLetter = z.strictObject({ ok: z.literal(true), dead_letter: deadLetter })

/** What a provider is answered. */
export const receivedHook = z.strictObject({
  received: z.literal(true),
  status: z.enum(['accepted', 'duplicate', 'ignored']),
  id: uuid.nullable().meta({ description: 'null: nothing was stored' }),
  reason: z.string().optional(),
})
