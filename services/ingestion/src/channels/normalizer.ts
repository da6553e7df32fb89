import type { JsonObject } from '@svc/exact-json'
import type { Hook } from '../domain/hook.ts'

/** What a channel says of an order; pickup and times are the merchant's settings. All of it fits the public contract. */
export interface ToldOrder {
  dropoff_address: string
  customer_phone: string
  customer_name?: string
  dropoff_lat?: number
  dropoff_lng?: number
  notes?: string
  cod_amount_minor?: number
  cod_currency?: string
  weight_kg?: number
  items?: ToldItem[]
  /** Where the channel does say them. */
  pickup_address?: string
  scheduled_pickup_at?: string
  delivery_window_start?: string
  delivery_window_end?: string
}

export interface ToldItem {
  name: string
  quantity: number
  sku?: string
  unit_price_minor?: number
  currency?: string
  weight_kg?: number
}

interface About {
  externalOrderId: string
  /** Null where the hook does not say: either environment. */
  isTest: boolean | null
  /** When it was so; null where the hook does not say: it counts as the time of its receipt. */
  toldAt: Date | null
}

/** What a hook says, in our words. */
export type Normalized =
  /** There is such an order; of one that exists the payment mark alone follows. */
  | (About & { outcome: 'order'; isTest: boolean; paymentVerified: boolean; order: ToldOrder })
  /** The payment of an order that exists. */
  | (About & { outcome: 'update'; paymentVerified: boolean })
  | (About & { outcome: 'cancel'; reason: string })
  | { outcome: 'ignored'; reason: string }
  /** It should have been usable: a person must look. */
  | { outcome: 'dead_letter'; reason: string; field?: string }

/** What is known of a hook beside its body. */
export interface HookFacts extends Pick<Hook, 'event' | 'headers' | 'receivedAt'> {
  /** Of the merchant, where its clocks matter. */
  timezone?: string
}

/**
 * Reads a hook whose body is an object. Long numbers in it are exact. Pure: the same hook is read the same at each try, and
 * nothing is thrown, whatever the object holds.
 */
export type Normalizer = (body: JsonObject, hook: HookFacts) => Normalized
