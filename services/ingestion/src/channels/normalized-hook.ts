import type { ChannelSettings } from '../domain/channel-settings.ts'
import type { Hook } from '../domain/hook.ts'
import type { Channel } from './channel.ts'
import type { HookFacts, Normalized, ToldOrder } from './normalizer.ts'
import { readKept } from './read-kept.ts'

type Kept = HookFacts & Pick<Hook, 'body'>

/** What a kept hook says, in our words. */
export function normalizedHook(channel: Channel | undefined, hook: Kept): Normalized {
  if (!channel?.normalize) return { outcome: 'dead_letter', reason: 'unknown_channel' }
  const body = readKept(hook.body)
  return body ? channel.normalize(body, hook) : { outcome: 'dead_letter', reason: 'unreadable' }
}

type Place = Pick<ChannelSettings, 'pickup' | 'leadMinutes' | 'windowMinutes'>

const DEFAULT_LEAD_MINUTES = 60
const DEFAULT_WINDOW_MINUTES = 180
const MINUTE_MS = 60_000

/** The record of an order: pickup and times are the merchant's where the channel does not say them. Null without a pickup. */
export function standardizedOf(order: ToldOrder, { pickup, leadMinutes, windowMinutes }: Place, now: Date) {
  if (order.pickup_address === undefined && pickup === null) return null
  const startsAt = now.getTime() + (leadMinutes ?? DEFAULT_LEAD_MINUTES) * MINUTE_MS
  const endsAt = startsAt + (windowMinutes ?? DEFAULT_WINDOW_MINUTES) * MINUTE_MS
  const place = order.pickup_address === undefined ? pickup : null
  return {
    ...(place && { pickup_address: place.address }),
    ...(place && place.lat !== null && place.lng !== null && { pickup_lat: place.lat, pickup_lng: place.lng }),
    scheduled_pickup_at: new Date(startsAt).toISOString(),
    delivery_window_start: new Date(startsAt).toISOString(),
    delivery_window_end: new Date(endsAt).toISOString(),
    ...order,
  }
}
