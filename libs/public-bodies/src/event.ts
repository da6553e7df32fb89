import * as z from 'zod'
import { creditedTopup, withdrawal } from './money.ts'
import { eta, order } from './order.ts'
import { id, instant, whole } from './pieces.ts'
import { riderSummary } from './rider.ts'

/** What an event tells of its order, in this sequence; the unified record is put in beside it as it is. */
export const eventOrder = order.pick({
  id: true,
  merchant_id: true,
  source: true,
  external_order_id: true,
  is_test: true,
  status: true,
  tracking_token: true,
  customer_tracking_url: true,
  cancelled_at: true,
  created_at: true,
  updated_at: true,
})

const envelopeOrder = z
  .looseObject(order.shape)
  .partial({
    status: true,
    vehicle_type_source: true,
    customer_tracking_url: true,
    fee_minor: true,
    currency: true,
    quote_id: true,
    eta: true,
    cancelled_at: true,
    is_test: true,
  })
  .meta({ id: 'EnvelopeOrder' })

const sequence = (subject: string) => whole.meta({ description: `Counts the events of one ${subject} from 1` })

const envelope = {
  event: z.string(),
  event_id: id.meta({ description: 'Constant over retries of one business event; deduplicate by it' }),
  occurred_at: instant,
  merchant_id: id,
  api_version: z.literal('v1'),
}

const ofOrder = {
  ...envelope,
  sequence: sequence('order'),
  order: envelopeOrder,
  rider: riderSummary.optional(),
  previous_status: z.string().optional(),
  status: z.string().optional(),
  previous_rider_id: id.optional(),
  eta: eta.optional().meta({ description: 'With order.eta_changed' }),
}

const ofWithdrawal = { ...envelope, sequence: sequence('withdrawal'), is_test: z.literal(false), withdrawal }
const ofTopup = { ...envelope, sequence: sequence('top-up'), is_test: z.literal(false), topup: creditedTopup }

const logged = { cursor: z.string().meta({ description: 'Its place in the log; to go on `after` it' }) }

/** An entry of the event log; which of them exist beside those of orders is the merchant's choice. */
export const eventEnvelope = z
  .union([
    z.looseObject({ ...logged, ...ofOrder }).meta({ id: 'OrderEvent' }),
    z.looseObject({ ...logged, ...ofWithdrawal }).meta({ id: 'WithdrawalEvent' }),
    z.looseObject({ ...logged, ...ofTopup }).meta({ id: 'TopupEvent' }),
  ])
  .meta({ id: 'Event' })

const isTest = z.boolean().meta({ description: 'False, as money is live; true only in a sample' })

const posted = {
  delivery_id: id.meta({ description: 'The delivery; constant over its retries' }),
  sample: z
    .literal(true)
    .optional()
    .meta({ description: 'Only where you asked for a sample: nothing of what it tells has happened' }),
}

/** The bodies of outbound webhooks, by what they are about. */
export const orderWebhook = z.looseObject({ ...ofOrder, ...posted }).meta({ id: 'WebhookEnvelope' })
export const withdrawalWebhook = z
  .looseObject({ ...ofWithdrawal, ...posted, is_test: isTest })
  .meta({ id: 'WithdrawalWebhook' })
export const topupWebhook = z.looseObject({ ...ofTopup, ...posted, is_test: isTest }).meta({ id: 'TopupWebhook' })

/** What tests an endpoint: it is about nothing, and neither stored nor retried. */
export const pingWebhook = z.looseObject({ ...envelope, ...posted }).meta({ id: 'PingWebhook' })
