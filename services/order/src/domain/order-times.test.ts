import { describe, expect, test } from '@jest/globals'
import { ServiceError } from '@svc/errors'
import { parseInstant, readTimes } from './order-times.ts'

const NOW = new Date('2030-01-01T12:00:00Z')
const good = {
  scheduled_pickup_at: '2030-01-01T13:00:00Z',
  delivery_window_start: '2030-01-01T13:30:00+00:00',
  delivery_window_end: '2030-01-01T16:00:00+01:00',
}

function fault(changes: Record<string, unknown>, now: Date | null = NOW) {
  const answer = readTimes({ ...good, ...changes }, now)
  return answer instanceof ServiceError ? [answer.code, answer.details?.field, answer.details?.rule].join(' ') : answer
}

describe('the times of an order', () => {
  test('good times are read as instants', () => {
    expect(fault({})).toEqual({
      scheduledPickupAt: new Date('2030-01-01T13:00:00Z'),
      deliveryWindowStart: new Date('2030-01-01T13:30:00Z'),
      deliveryWindowEnd: new Date('2030-01-01T15:00:00Z'),
    })
  })

  test.each([
    [{ scheduled_pickup_at: null }, 'missing_pickup_time standardized.scheduled_pickup_at required'],
    [{ delivery_window_start: undefined }, 'missing_delivery_window standardized.delivery_window_start required'],
    [{ delivery_window_end: null }, 'missing_delivery_window standardized.delivery_window_end required'],
    [{ scheduled_pickup_at: '' }, 'invalid_pickup_time standardized.scheduled_pickup_at iso8601'],
    [{ scheduled_pickup_at: 1893502800 }, 'invalid_pickup_time standardized.scheduled_pickup_at iso8601'],
    [
      { delivery_window_end: '2030-01-01T16:00:00' },
      'invalid_delivery_window standardized.delivery_window_end iso8601',
    ],
    [{ scheduled_pickup_at: '2030-01-01T11:58:59Z' }, 'invalid_pickup_time standardized.scheduled_pickup_at in_future'],
    [{ scheduled_pickup_at: '2030-01-01T11:59:00Z' }, 'invalid_pickup_time standardized.scheduled_pickup_at in_future'],
    [
      { delivery_window_start: good.delivery_window_end },
      'invalid_delivery_window standardized.delivery_window_start start_before_end',
    ],
    [
      { scheduled_pickup_at: '2030-01-01T15:00:00Z' },
      'invalid_delivery_window standardized.delivery_window_end pickup_before_window_end',
    ],
  ])('%j is refused with its own code and rule', (changes, expected) => {
    expect(fault(changes)).toBe(expected)
  })

  test('a pickup that the clock passed less than a minute ago is still in the future', () => {
    expect(fault({ scheduled_pickup_at: '2030-01-01T11:59:00.001Z' })).toHaveProperty('scheduledPickupAt')
  })

  test('the first broken rule in the order presence, form, future, window is the one reported', () => {
    const past = { scheduled_pickup_at: '2020-01-01T00:00:00Z' }
    expect(fault({ ...past, delivery_window_end: 'x' })).toMatch(/^invalid_delivery_window .* iso8601/)
    expect(fault({ ...past, delivery_window_end: null })).toMatch(/^missing_delivery_window/)
    expect(fault({ ...past, delivery_window_start: good.delivery_window_end })).toMatch(/in_future$/)
    expect(fault({ ...past, delivery_window_start: good.delivery_window_end }, null)).toMatch(/start_before_end$/)
  })

  test.each([
    '2030-02-29T00:00:00Z',
    '2030-04-31T00:00:00Z',
    '2030-01-01',
    '2030-01-01T24:00:00Z',
    '2030-01-01T00:00:00 Z',
    'tomorrow',
    '2030-1-1T00:00:00Z',
    {},
  ])('%p is no instant', (value) => expect(parseInstant(value)).toBeNull())

  test('the extra day of a leap year is an instant', () => {
    expect(parseInstant('2028-02-29T00:00:00.123456+01:00')?.toISOString()).toBe('2028-02-28T23:00:00.123Z')
  })
})
