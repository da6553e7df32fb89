import type { Told } from '../../domain/conversation.ts'
import { cutTo } from '../mapping.ts'
import type { Normalized } from '../normalizer.ts'

/** As long as a customer who has named a time may be waited for. */
const WINDOW_MS = 3 * 3_600_000

/** The order that a customer has confirmed; its payment is the shop's business. */
export function confirmedOrder(externalOrderId: string, told: Told): Normalized {
  const { dropoff_address, customer_phone, customer_name, wanted_at, request } = told
  if (dropoff_address === undefined || customer_phone === undefined)
    return { outcome: 'dead_letter', reason: 'needs_details', field: 'standardized.dropoff_address' }
  return {
    outcome: 'order',
    externalOrderId,
    isTest: false,
    toldAt: null,
    paymentVerified: false,
    order: {
      dropoff_address,
      customer_phone,
      ...(customer_name !== undefined && { customer_name }),
      ...timesOf(wanted_at),
      ...(request !== undefined && { notes: cutTo(request, 2_000) }),
    },
  }
}

function timesOf(wantedAt: string | undefined) {
  if (wantedAt === undefined || wantedAt === 'soon') return {}
  return {
    scheduled_pickup_at: wantedAt,
    delivery_window_start: wantedAt,
    delivery_window_end: new Date(Date.parse(wantedAt) + WINDOW_MS).toISOString(),
  }
}
