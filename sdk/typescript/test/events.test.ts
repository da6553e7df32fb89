import { createHmac } from 'node:crypto'
import { type Event, type UnknownEventName, verifyWebhook, type WebhookEvent } from '@delivery-dispatch/sdk'
import { expect, test } from '@jest/globals'

// What the compiler holds of these functions is the half of the test: `npm run verify` checks it.

/** An entry of the log has what its name says, and nothing of another. */
function told(event: Event): string {
  // @ts-expect-error -- of money there is no order
  void event.order?.id
  // @ts-expect-error -- no event has this name
  if (event.event === 'order.deliverd') return 'a typing error'
  switch (event.event) {
    case 'order.created':
    case 'order.delivered':
      return `${event.order.id} is ${event.order.status} at ${event.cursor}`
    case 'order.eta_changed':
      return `${event.order.id} comes ${event.eta?.dropoff_p50_at}`
    case 'withdrawal.paid': {
      // @ts-expect-error -- of a withdrawal there is no top-up
      void event.topup?.id
      return event.withdrawal.id
    }
    case 'wallet.topup_credited':
      return event.topup.currency
    default:
      return `${event.event} is left out at ${event.cursor}`
  }
}

/** So has a webhook; one whose name is not known has what all of them have. */
function posted(event: WebhookEvent): string {
  switch (event.event) {
    case 'order.created':
      return event.order.id
    case 'webhook.ping':
      return event.delivery_id
    case 'withdrawal.paid':
      return event.withdrawal.id
    default: {
      // @ts-expect-error -- not before its name says so
      void event.order?.id
      return `${event.event satisfies string} is left out, ${event.event_id}`
    }
  }
}

/** The names that are left behind all known ones. */
const rest = (name: Exclude<Event['event'], UnknownEventName>): 'known' => (name ? 'known' : name)

const common = { cursor: '7', event_id: 'e-1', occurred_at: '', merchant_id: 'm-1', api_version: 'v1', sequence: 1 }

test('an event is told apart by its name, and one whose name came later is left out', () => {
  const order = { id: 'o-1', status: 'delivered' }
  expect(told({ ...common, event: 'order.delivered', order } as Event)).toBe('o-1 is delivered at 7')
  expect(told({ ...common, event: 'order.weighed' } as unknown as Event)).toBe('order.weighed is left out at 7')
  expect(rest('order.created')).toBe('known')
})

test('so it is with a webhook: one of a name that this version does not know is verified like any other', async () => {
  const body = JSON.stringify({ ...common, event: 'order.weighed', delivery_id: 'd-1' })
  const signature = `v1=${createHmac('sha256', 'a-secret-of-a-test').update(body).digest('hex')}`
  const event = await verifyWebhook(body, { 'x-service-signature': signature }, { secret: 'a-secret-of-a-test' })
  expect(posted(event)).toBe('order.weighed is left out, e-1')
})
