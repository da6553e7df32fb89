import { expect, test } from '@jest/globals'
import { stringify } from '@svc/exact-json'
import { orderEvent } from './event.ts'

const at = '2026-11-21T10:15:30.000Z'

test('an event of an order holds what is public of it, and the unified record with every digit', () => {
  const order = {
    id: 'o',
    merchant_id: 'm',
    source: 'api',
    external_order_id: 'x-1',
    status: 'pending',
    unified_json: '{"n":12345678901234567890.10}',
    created_at: at,
    updated_at: at,
    version: 3,
  }
  const event = { event: 'order.created', event_id: 'e', occurred_at: at, merchant_id: 'm', sequence: 1, order }
  expect(JSON.parse(stringify(orderEvent.parse({ ...event, api_version: 'v1', internal: true })))).toEqual({
    ...event,
    api_version: 'v1',
    order: {
      id: 'o',
      merchant_id: 'm',
      source: 'api',
      external_order_id: 'x-1',
      status: 'pending',
      unified_json: expect.anything(),
      tracking_token: null,
      created_at: at,
      updated_at: at,
    },
  })
  expect(stringify(orderEvent.parse({ ...event, api_version: 'v1' }))).toContain('{"n":12345678901234567890.10}')
})
