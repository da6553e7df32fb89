import { describe, expect, test } from '@jest/globals'
import { SANDBOX_RIDER } from '@svc/credentials'
import fc from 'fast-check'
import { Order } from './order.ts'
import { isTerminal } from './order-status.ts'
import { SIMULATOR_ACTIONS } from './simulator.ts'
import { parseUnified } from './unified-record.ts'

const NOW = new Date('2030-01-01T00:00:00.000Z')
const OTHER_RIDER = '11111111-1111-4111-8111-111111111111'

function orderIn(status: string, riderId: string | null = null): Order {
  return Object.assign(new Order(), {
    status,
    riderId,
    paymentVerified: false,
    version: 1,
    assignmentVersion: 0,
    cancelledAt: null,
    terminalAt: null,
    updatedAt: new Date(0),
    unifiedJson: JSON.stringify({
      schema_version: '1',
      status,
      payment_verified: false,
      raw_payload: { any: 'thing' },
      standardized: { pickup_address: 'A' },
    }),
  })
}

const types = (events: ReadonlyArray<{ type: string }>): string[] => events.map(({ type }) => type)

describe('the events of a change, by its trigger', () => {
  test.each([
    ['accepted', ['order.accepted', 'order.status_updated']],
    ['picked_up', ['order.picked_up', 'order.status_updated']],
    ['delivered', ['order.delivered', 'order.status_updated']],
    ['in_transit', ['order.status_updated']],
    ['constructor', ['order.status_updated']],
    ['__proto__', ['order.status_updated']],
    ['returned_to_merchant', ['order.status_updated']],
    ['anything the caller says', ['order.status_updated']],
    ['cancelled', ['order.status_updated', 'order.cancelled']],
  ])('a merchant setting %s announces %j', (status, expected) => {
    const order = orderIn('pending')
    const events = order.changeStatus(status, NOW)
    expect(types(events)).toEqual(expected)
    expect(events.find(({ type }) => type === 'order.status_updated')?.previousStatus).toBe('pending')
  })

  test.each([
    ['accept', ['order.rider_assigned', 'order.accepted']],
    ['pickup', ['order.picked_up', 'order.status_updated']],
    ['deliver', ['order.delivered', 'order.status_updated']],
  ] as const)('the simulator action %s announces %j', (action, expected) => {
    expect(types(orderIn('pending').simulate(action, NOW))).toEqual(expected)
  })

  test('an acceptance that takes the order from another rider names that rider', () => {
    const [assigned] = orderIn('pending', OTHER_RIDER).simulate('accept', NOW)
    expect(assigned).toMatchObject({ type: 'order.rider_assigned', previousRiderId: OTHER_RIDER })
  })

  test('a delivery out of sequence sets the sandbox rider and invents no event', () => {
    const order = orderIn('pending')
    expect(types(order.simulate('deliver', NOW))).toEqual(['order.delivered', 'order.status_updated'])
    expect(order.riderId).toBe(SANDBOX_RIDER.id)
    expect(parseUnified(order.unifiedJson).standardized.rider_id).toBe(SANDBOX_RIDER.id)
  })
})

describe('cancelling', () => {
  const cancellation = { reason: 'other', notes: null, actorType: 'merchant_key', actorId: 'k' }

  test.each(['delivered', 'returned_to_merchant', 'lost_in_transit'])('%s cannot be cancelled', (status) => {
    const cancel = () => orderIn(status).cancel(cancellation, 'default', NOW)
    expect(cancel).toThrow(expect.objectContaining({ code: 'cannot_cancel', details: { status, policy: 'default' } }))
  })

  test.each(['picked_up', 'in_transit'])('%s can be cancelled unless the policy ends at pickup', (status) => {
    expect(types(orderIn(status).cancel(cancellation, 'default', NOW))).toContain('order.status_updated')
    expect(() => orderIn(status).cancel(cancellation, 'before_pickup', NOW)).toThrow(
      expect.objectContaining({ code: 'cannot_cancel' }),
    )
  })

  test('a second cancel changes nothing, the reason of the first included', () => {
    const order = orderIn('pending')
    order.cancel(cancellation, 'default', NOW)
    const before = structuredClone(order)
    expect(
      order.cancel({ ...cancellation, reason: 'no_supply' }, 'before_pickup', new Date(NOW.getTime() + 1)),
    ).toEqual([])
    expect(structuredClone(order)).toEqual(before)
  })

  test('leaving cancelled clears its time and keeps its record as history', () => {
    const order = orderIn('pending')
    order.cancel(cancellation, 'default', NOW)
    order.simulate('accept', NOW)
    expect(order.cancelledAt).toBeNull()
    expect(parseUnified(order.unifiedJson).cancellation).toMatchObject({ reason: 'other', at: NOW.toISOString() })
  })
})

const status = fc.oneof(
  fc.constantFrom('pending', 'accepted', 'picked_up', 'in_transit', 'delivered', 'cancelled', 'lost_in_transit'),
  fc.string({ minLength: 1, maxLength: 128 }),
)
const act = fc.oneof(
  fc.record({ kind: fc.constant('set' as const), status }),
  fc.record({ kind: fc.constant('simulate' as const), action: fc.constantFrom(...SIMULATOR_ACTIONS) }),
  fc.record({ kind: fc.constant('cancel' as const) }),
)

function perform(order: Order, step: typeof act extends fc.Arbitrary<infer T> ? T : never) {
  if (step.kind === 'set') return order.changeStatus(step.status, NOW)
  if (step.kind === 'simulate') return order.simulate(step.action, NOW)
  try {
    return order.cancel({ reason: 'other', notes: null, actorType: 'system', actorId: 's' }, 'default', NOW)
  } catch {
    return []
  }
}

/** The event matrix once more, written down row by row instead of derived. */
function matrix(from: string, step: typeof act extends fc.Arbitrary<infer T> ? T : never): string[] {
  if (step.kind === 'simulate') {
    if (step.action === 'accept') return from === 'accepted' ? [] : ['order.rider_assigned', 'order.accepted']
    if (step.action === 'pickup') return from === 'picked_up' ? [] : ['order.picked_up', 'order.status_updated']
    return from === 'delivered' ? [] : ['order.delivered', 'order.status_updated']
  }
  if (step.kind === 'cancel') {
    const isRefused = ['cancelled', 'delivered', 'returned_to_merchant', 'lost_in_transit'].includes(from)
    return isRefused ? [] : ['order.status_updated', 'order.cancelled']
  }
  if (step.status === from) return []
  if (step.status === 'accepted') return ['order.accepted', 'order.status_updated']
  if (step.status === 'picked_up') return ['order.picked_up', 'order.status_updated']
  if (step.status === 'delivered') return ['order.delivered', 'order.status_updated']
  if (step.status === 'cancelled') return ['order.status_updated', 'order.cancelled']
  return ['order.status_updated']
}

describe('whatever acts follow each other', () => {
  test('each announces what the event matrix says, no more and no less', () => {
    fc.assert(
      fc.property(fc.array(act, { maxLength: 20 }), (acts) => {
        const order = orderIn('pending')
        for (const step of acts) {
          const expected = matrix(order.status, step)
          expect(types(perform(order, step))).toEqual(expected)
        }
      }),
    )
  })

  test('versions count every fact once, and previous_status links them without a break', () => {
    fc.assert(
      fc.property(fc.array(act, { maxLength: 20 }), (acts) => {
        const order = orderIn('pending')
        let version = 1
        for (const step of acts) {
          const before = order.status
          const events = perform(order, step)
          expect(events.map((event) => event.version)).toEqual(events.map((_, index) => version + index + 1))
          version += events.length
          expect(events.length > 0).toBe(before !== order.status)
          for (const event of events) {
            if (event.type === 'order.status_updated') expect(event.previousStatus).toBe(before)
          }
          const entered = events.filter(({ type }) => type === 'order.accepted')
          expect(entered.length).toBe(order.status === 'accepted' && before !== 'accepted' ? 1 : 0)
        }
        expect(order.version).toBe(version)
      }),
    )
  })

  test('the typed columns and the unified record say the same', () => {
    fc.assert(
      fc.property(fc.array(act, { maxLength: 20 }), (acts) => {
        const order = orderIn('pending')
        for (const step of acts) perform(order, step)
        const record = parseUnified(order.unifiedJson)
        expect(record.status).toBe(order.status)
        expect(record.standardized.rider_id ?? null).toBe(order.riderId)
        expect(record.raw_payload).toEqual({ any: 'thing' })
        expect(order.cancelledAt !== null).toBe(order.status === 'cancelled')
        expect(order.terminalAt !== null).toBe(isTerminal(order.status))
      }),
    )
  })
})

test('no change of an order changes a digit of its opaque payload', () => {
  const order = orderIn('pending')
  const raw = '"raw_payload":{"id":820982911946154508}'
  order.unifiedJson = order.unifiedJson.replace('"raw_payload":{"any":"thing"}', raw)
  order.changeStatus('accepted', NOW)
  order.markPayment(true, NOW)
  expect(order.unifiedJson).toContain(raw)
  expect(parseUnified(order.unifiedJson)).toMatchObject({ status: 'accepted', payment_verified: true })
})

describe('a commission in escrow', () => {
  const before = { status: 'delivered', paymentVerified: false }
  const held = (changes: Partial<Order>): Order =>
    Object.assign(new Order(), before, { commissionState: 'held' }, changes)

  test.each([
    ['stays while nothing of it changes', {}, false, null, 'held'],
    ['goes back when the order has left the status', { status: 'in_transit' }, false, 'void', null],
    [
      'goes back also when the payment is verified with that',
      { status: 'cancelled', paymentVerified: true },
      false,
      'void',
      null,
    ],
    ['stays when another status earns it too', { status: 'done' }, true, null, 'held'],
    ['goes to the rider when the payment is verified', { paymentVerified: true }, true, 'release', 'paid'],
    ['that was paid stays paid', { commissionState: 'paid', status: 'cancelled' }, false, null, 'paid'],
  ] as const)('%s', (_, changes, isTrigger, way, state) => {
    const order = held(changes)
    expect(order.resolveEscrow(before, isTrigger)).toBe(way)
    expect(order.commissionState).toBe(state)
  })
})
