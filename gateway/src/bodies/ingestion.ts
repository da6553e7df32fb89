import type {
  ChannelSettings,
  PickupPlace,
  PutChannelSettingsRequest,
} from '@svc/contracts/ingestion/v1/channel_service'
import type { DeadLetter, ReceiveHookResponse } from '@svc/contracts/ingestion/v1/hook_service'
import { atLeastOne, text } from '@svc/inputs'
import { fieldsOf, id, instant, orNull, page, whole, words } from '@svc/public-bodies'
import * as z from 'zod'
import { CHANNELS } from './channels.ts'
import { phone } from './phone.ts'
import { nulls, withoutNulls } from './pieces.ts'

/** Third parties whose hooks a merchant may connect with a secret of its own. */
export const channelName = z.enum(CHANNELS)

export const channel = z
  .object(
    fieldsOf<ChannelSettings>()({
      channel: words(...CHANNELS),
      secret_configured: z.boolean(),
      updated_at: orNull(instant),
      shop_domain: orNull(z.string()),
      receiver_phone: orNull(z.string()),
      subject_keyword: orNull(z.string()),
      pickup: orNull(
        z.object(fieldsOf<PickupPlace>()({ address: z.string(), lat: orNull(z.number()), lng: orNull(z.number()) })),
      ),
      lead_minutes: orNull(whole),
      window_minutes: orNull(whole),
    }),
  )
  .meta({ id: 'IngestionChannel' })

const minutes = (min: number) => z.int().min(min).max(43_200).nullable().optional()
const degrees = (most: number) => z.number().min(-most).max(most).nullish()

const pickup = z
  .strictObject({ address: text(500, 3), lat: degrees(90), lng: degrees(180) })
  .superRefine(({ lat, lng }, ctx) => {
    if (((lat ?? null) === null) === ((lng ?? null) === null)) return
    const [path, other] = (lat ?? null) === null ? ['lat', 'lng'] : ['lng', 'lat']
    ctx.addIssue({
      code: 'custom',
      path: [path],
      message: `${path} is required beside ${other}.`,
      params: { rule: 'required' },
    })
  })

export const channelChange = atLeastOne(
  z.strictObject({
    secret: text(256, 16).nullable().optional().meta({ description: 'Signs the hooks; never shown. null clears it' }),
    shop_domain: text(300).nullable().optional().meta({
      description: 'By which hooks name the shop, without scheme; whose it is, the secret proves',
      example: 'shop.example.com',
    }),
    receiver_phone: phone.nullable().optional().meta({ description: 'To which messages must have come' }),
    subject_keyword: text(64).nullable().optional().meta({ description: 'Makes an e-mail an order' }),
    pickup: pickup.nullable().optional().meta({ description: 'Where orders of the channel are collected' }),
    lead_minutes: minutes(0).meta({ description: 'From the hook to the pickup; 60 unless set' }),
    window_minutes: minutes(1).meta({
      description: 'From the pickup to the end of the delivery window; 180 unless set',
    }),
  }),
)

/** What a body asks of a channel, as its service is told. */
export function channelChangeOf(channel: string, body: z.output<typeof channelChange>): PutChannelSettingsRequest {
  const { pickup: place, ...others } = withoutNulls(body)
  const pickup = place && { ...place, lat: place.lat ?? undefined, lng: place.lng ?? undefined }
  return { channel, ...others, pickup, clear_fields: nulls(body) }
}

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
      order_id: orNull(id),
    }),
    raw_ref: z.string().meta({ description: 'Of the stored bytes' }),
  })
  .meta({ id: 'DeadLetter' })

/** The bytes are stored under the id of the hook itself. */
export const deadLetterOf = (letter: DeadLetter) => ({ ...letter, raw_ref: letter.id })

export const deadLetterList = page('items', deadLetter)
export const oneDeadLetter = z.object({ ok: z.literal(true), dead_letter: deadLetter })

/** What a provider is answered. */
export const receivedHook = z.object({
  received: z.literal(true),
  ...fieldsOf<ReceiveHookResponse>()({
    status: words('accepted', 'duplicate', 'ignored').meta({
      description: '`accepted`, `duplicate` where it had come before, or `ignored` where it tells of nothing to do',
    }),
    id: orNull(id).meta({ description: 'null: nothing was stored' }),
    reason: z.string().optional(),
  }),
})
