import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { Order, type RiderSummary } from './order.ts'
import { isTerminal } from './order-status.ts'
import { PROGRESS_KINDS, type ProgressKind } from './progress.ts'
import { parseUnified } from './unified-record.ts'

const NOW = new Date('2030-01-01T00:00:00.000Z')
const RIDERS = ['1', '2'].map(
  (name): RiderSummary => ({ id: `rider ${name}`, name, phone: null, vehicleType: 'van' }),
) as [RiderSummary, RiderSummary]

function pendingOrder(): Order {
  return Object.assign(new Order(), {
    status: 'pending',
    riderId: null,
    riderName: null,
    paymentVerified: false,
    eta: null,
    announcedEta: null,
    version: 1,
    assignmentVersion: 0,
    cancelledAt: null,
    terminalAt: null,
    unifiedJson: JSON.stringify({ status: 'pending', payment_verified: false, raw_payload: {}, standardized: {} }),
  })
}

interface Step {
  kind: 'commit' | 'advance' | 'report' | 'cancel'
  rider: RiderSummary | null
  accept: boolean
  status: string
  progress: ProgressKind
  minutes: number
}

/** The path of a rider, written down pair by pair. */
const LEGAL = new Set([
  'pending accepted',
  'accepted picked_up',
  'picked_up in_transit',
  'picked_up delivered',
  'picked_up returned_to_merchant',
  'picked_up lost_in_transit',
  'in_transit delivered',
  'in_transit returned_to_merchant',
  'in_transit lost_in_transit',
])

const step: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom('commit', 'advance', 'advance', 'advance', 'report', 'cancel'),
  rider: fc.constantFrom(null, ...RIDERS),
  accept: fc.boolean(),
  status: fc.constantFrom(
    'accepted',
    'picked_up',
    'in_transit',
    'delivered',
    'returned_to_merchant',
    'lost_in_transit',
  ),
  progress: fc.constantFrom(...PROGRESS_KINDS),
  minutes: fc.integer({ min: 0, max: 20 }),
})

type Seen = { types: string[]; refused: boolean }

/** Does one step as a use case would: assignments and progress end with the order, a cancel may be refused. */
function perform(order: Order, { kind, rider, accept, status, progress, minutes }: Step): Seen {
  try {
    const eta = { dropoff_p50_at: new Date(NOW.getTime() + minutes * 60_000).toISOString() }
    const events = {
      commit: () => (isTerminal(order.status) ? [] : order.commitRider(rider, { accepts: accept, acts: accept }, NOW)),
      advance: () => order.advance({ status, reason: 'x', photoStorageKey: null }, false, NOW),
      report: () => order.report({ kind: progress, riderId: rider?.id ?? null, eta }, NOW) ?? [],
      cancel: () => order.cancel({ reason: 'x', notes: null, actorType: 'system', actorId: 's' }, 'default', NOW),
    }[kind]()
    return { types: events.map(({ type }) => type), refused: false }
  } catch {
    return { types: [], refused: true }
  }
}

/** The rows of the event matrix that riders and dispatch can cause, written down instead of derived. */
function matrix(before: { status: string; riderId: string | null }, order: Order, { kind, progress }: Step): string[] {
  const { status: from, riderId: had } = before
  const changed = from !== order.status
  switch (kind) {
    case 'commit':
      if (changed && order.status === 'accepted') return ['order.rider_assigned', 'order.accepted']
      if (changed) return ['order.rider_assigned', 'order.status_updated']
      return had === order.riderId ? [] : ['order.rider_assigned']
    case 'advance':
      if (!changed) return []
      if (order.status === 'accepted') return ['order.rider_assigned', 'order.accepted']
      if (order.status === 'picked_up') return ['order.picked_up', 'order.status_updated']
      if (order.status === 'delivered') return ['order.delivered', 'order.status_updated']
      return ['order.status_updated']
    case 'cancel':
      return changed ? ['order.status_updated', 'order.cancelled'] : []
    case 'report':
      if (changed) return ['order.status_updated']
      return {
        departed: [],
        arrived_pickup: ['order.rider_arrived_pickup'],
        arrived_dropoff: ['order.rider_arrived_dropoff'],
        delayed: ['dispatch.delayed'],
        exhausted: ['dispatch.exhausted'],
        eta: ['order.eta_changed'],
      }[progress]
  }
}

describe('whatever riders, dispatch and merchants do, in whatever order', () => {
  const steps = fc.array(step, { maxLength: 30 })

  test('a rider never leaves the legal path, and a refusal changes nothing', () => {
    fc.assert(
      fc.property(steps, (all) => {
        const order = pendingOrder()
        for (const one of all) {
          const before = structuredClone(order)
          const { refused } = perform(order, one)
          if (refused) expect(structuredClone(order)).toEqual(before)
          if (one.kind !== 'advance') continue
          const isStill = order.status === before.status
          expect(isStill || LEGAL.has(`${before.status} ${order.status}`)).toBe(true)
          expect(refused).toBe(one.status !== before.status && !LEGAL.has(`${before.status} ${one.status}`))
        }
      }),
    )
  })

  test('each act announces the row of the event matrix that it is, or nothing', () => {
    fc.assert(
      fc.property(steps, (all) => {
        const order = pendingOrder()
        for (const one of all) {
          const before = { status: order.status, riderId: order.riderId }
          const { types } = perform(order, one)
          if (one.kind === 'report' && types.length === 0) expect(order.status).toBe(before.status)
          else expect(types).toEqual(matrix(before, order, one))
        }
      }),
    )
  })

  test('the fence counts exactly the changes of the rider, versions exactly the facts', () => {
    fc.assert(
      fc.property(steps, (all) => {
        const order = pendingOrder()
        let [fence, version] = [0, 1]
        for (const one of all) {
          const { riderId } = order
          const { types } = perform(order, one)
          if (order.riderId !== riderId) fence += 1
          version += types.length
          expect([order.assignmentVersion, order.version]).toEqual([fence, version])
          if (order.riderId !== riderId) expect(types).toContain('order.rider_assigned')
        }
      }),
    )
  })

  test('the rider is the same in every place, and an estimate never outlives its rider or its order', () => {
    fc.assert(
      fc.property(steps, (all) => {
        const order = pendingOrder()
        for (const one of all) {
          const { riderId } = order
          perform(order, one)
          expect(parseUnified(order.unifiedJson).standardized.rider_id ?? null).toBe(order.riderId)
          expect(order.riderName).toBe(RIDERS.find(({ id }) => id === order.riderId)?.name ?? null)
          if (isTerminal(order.status) || order.riderId !== riderId) expect(order.eta).toBeNull()
        }
      }),
    )
  })
})
