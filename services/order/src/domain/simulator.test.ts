import { describe, expect, test } from '@jest/globals'
import { readTimes } from './order-times.ts'
import { withSimulatedTimes } from './simulated-times.ts'
import { actionsInSequence, isStepOvertaken } from './simulator.ts'

describe('the simulator', () => {
  test.each([
    ['pending', ['accept']],
    ['accepted', ['pickup']],
    ['picked_up', ['deliver']],
    ['in_transit', ['deliver']],
    ['delivered', []],
    ['cancelled', []],
    ['odd', []],
  ])('from %s only %j is in sequence', (status, actions) => {
    expect(actionsInSequence(status)).toEqual(actions)
  })

  test.each([
    ['pending', 'accept', false],
    ['accepted', 'accept', true],
    ['accepted', 'pickup', false],
    ['in_transit', 'pickup', true],
    ['in_transit', 'deliver', false],
    ['picked_up', 'accept', true],
    ['cancelled', 'deliver', true],
    ['lost_in_transit', 'accept', true],
    ['odd', 'deliver', false],
  ] as const)('an order that is %s has overtaken the step %s: %p', (status, action, overtaken) => {
    expect(isStepOvertaken(status, action)).toBe(overtaken)
  })

  test('fills in times that the order rules accept, whichever are stated', () => {
    const now = new Date('2030-01-01T00:00:00Z')
    expect(withSimulatedTimes({}, now)).toEqual({
      scheduled_pickup_at: '2030-01-01T00:15:00.000Z',
      delivery_window_start: '2030-01-01T00:15:00.000Z',
      delivery_window_end: '2030-01-01T02:00:00.000Z',
    })
    const later = withSimulatedTimes({ scheduled_pickup_at: '2030-01-02T00:00:00Z', delivery_window_start: null }, now)
    expect(readTimes(later, now)).toHaveProperty('deliveryWindowEnd')
  })
})
