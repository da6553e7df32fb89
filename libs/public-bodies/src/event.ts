import * as z from 'zod'
import { creditedTopup, withdrawal } from './money.ts'
import { eta, order } from './order.ts'
import { id, instant, whole } from './pieces.ts'
import { riderSummary } from './rider.ts'

/** Parsing strips what is not named here; merchants are told to expect more, for fields will be added. */
const open = <S extends z.ZodRawShape>(shape: S) =>
  z.object(shape).meta({ override: ({ jsonSchema }) => void Object.assign(jsonSchema, { additionalProperties: {} }) })

const someOrder = z.object(order.shape).partial({
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

const envelopeOrder = open(someOrder.shape).meta({ id: 'EnvelopeOrder' })

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

/** Entries of the event log, by what they are about. */
export const orderEvent = open(ofOrder).meta({ id: 'OrderEvent' })
export const withdrawalEvent = open(ofWithdrawal).meta({ id: 'WithdrawalEvent' })
export const topupEvent = open(ofTopup).meta({ id: 'TopupEvent' })

/** An entry of the event log; which of them exist beside those of orders is the merchant's choice. */
export const eventEnvelope = z.union([orderEvent, withdrawalEvent, topupEvent]).meta({ id: 'Event' })

const deliveryId = { delivery_id: id.meta({ description: 'The delivery; constant over its retries' }) }

/** The bodies of outbound webhooks, by what they are about. */
export const orderWebhook = open({ ...ofOrder, ...deliveryId }).meta({ id: 'WebhookEnvelope' })
export const withdrawalWebhook = open({ ...ofWithdrawal, ...deliveryId }).meta({ id: 'WithdrawalWebhook' })
export const topupWebhook = open({ ...ofTopup, ...deliveryId }).meta({ id: 'TopupWebhook' })
