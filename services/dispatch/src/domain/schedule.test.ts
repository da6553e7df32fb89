import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { DAYS, isOpen, nextOpening, type Schedule } from './schedule.ts'

const at = (iso: string) => new Date(iso)
const schedule = (changes: Partial<Schedule>): Schedule => ({
  timezone: 'Africa/Lagos',
  windows: [],
  closedDates: [],
  ...changes,
})
const everyDay = (start: string, end: string) => [{ days: DAYS, start, end }]

test('a merchant without windows is always open, but for its closed days', () => {
  const always = schedule({ closedDates: ['2026-12-25'] })
  expect(isOpen(always, at('2026-12-24T22:59:59Z'))).toBe(true)
  expect(isOpen(always, at('2026-12-24T23:00:00Z'))).toBe(false)
  expect(nextOpening(always, at('2026-12-25T08:00:00Z'))).toEqual(at('2026-12-25T23:00:00Z'))
})

test('a window is open from its start until just before its end, in the timezone of the merchant', () => {
  const day = schedule({ windows: [{ days: ['mon', 'fri'], start: '08:00', end: '20:00' }] })
  expect(isOpen(day, at('2026-11-23T06:59:59.999Z'))).toBe(false)
  expect(isOpen(day, at('2026-11-23T07:00:00Z'))).toBe(true)
  expect(isOpen(day, at('2026-11-23T18:59:59.999Z'))).toBe(true)
  expect(isOpen(day, at('2026-11-23T19:00:00Z'))).toBe(false)
  expect(nextOpening(day, at('2026-11-23T19:00:00Z'))).toEqual(at('2026-11-27T07:00:00Z'))
})

test('a window that ends at or before its start goes on into the next day', () => {
  const night = schedule({ windows: [{ days: ['fri'], start: '22:00', end: '06:00' }] })
  expect(isOpen(night, at('2026-11-27T20:30:00Z'))).toBe(false)
  expect(isOpen(night, at('2026-11-27T21:00:00Z'))).toBe(true)
  expect(isOpen(night, at('2026-11-28T04:59:00Z'))).toBe(true)
  expect(isOpen(night, at('2026-11-28T05:00:00Z'))).toBe(false)
  const aroundTheClock = schedule({ windows: [{ days: ['sat'], start: '09:00', end: '09:00' }] })
  expect(isOpen(aroundTheClock, at('2026-11-29T07:59:00Z'))).toBe(true)
  expect(isOpen(aroundTheClock, at('2026-11-29T08:00:00Z'))).toBe(false)
})

test('a closed day closes the night that begins on it, and the rest of the night before', () => {
  const nights = schedule({ windows: everyDay('22:00', '06:00'), closedDates: ['2026-12-25'] })
  expect(isOpen(nights, at('2026-12-24T22:30:00Z'))).toBe(true)
  expect(isOpen(nights, at('2026-12-25T00:30:00Z'))).toBe(false)
  expect(isOpen(nights, at('2026-12-25T22:00:00Z'))).toBe(false)
  expect(isOpen(nights, at('2026-12-26T00:30:00Z'))).toBe(false)
  expect(nextOpening(nights, at('2026-12-25T00:30:00Z'))).toEqual(at('2026-12-26T21:00:00Z'))
})

test('a schedule whose only days are closed opens on the first that is not', () => {
  const mondays = schedule({
    windows: [{ days: ['mon'], start: '10:00', end: '11:00' }],
    closedDates: ['2026-11-23', '2026-11-30', '2026-12-07'],
  })
  expect(nextOpening(mondays, at('2026-11-22T00:00:00Z'))).toEqual(at('2026-12-14T09:00:00Z'))
  expect(
    nextOpening(schedule({ windows: [{ days: [], start: '10:00', end: '11:00' }] }), at('2026-11-22T00:00:00Z')),
  ).toBeNull()
})

describe('where clocks are changed', () => {
  const berlin = (start: string, end: string) => schedule({ timezone: 'Europe/Berlin', windows: everyDay(start, end) })

  test('hours of the clock stay the hours of the merchant', () => {
    const day = berlin('08:00', '20:00')
    expect(nextOpening(day, at('2026-03-28T20:00:00Z'))).toEqual(at('2026-03-29T06:00:00Z'))
    expect(nextOpening(day, at('2026-03-27T20:00:00Z'))).toEqual(at('2026-03-28T07:00:00Z'))
  })

  test('a window whose start is skipped opens at the jump', () => {
    expect(nextOpening(berlin('02:30', '03:30'), at('2026-03-28T12:00:00Z'))).toEqual(at('2026-03-29T01:00:00Z'))
    expect(isOpen(berlin('02:30', '03:30'), at('2026-03-29T01:30:00Z'))).toBe(false)
  })

  test('a window that is skipped as a whole does not open that day', () => {
    expect(nextOpening(berlin('02:15', '02:45'), at('2026-03-28T12:00:00Z'))).toEqual(at('2026-03-30T00:15:00Z'))
  })

  test('a window that the clock shows twice opens twice', () => {
    const twice = berlin('02:30', '02:45')
    expect(nextOpening(twice, at('2026-10-24T12:00:00Z'))).toEqual(at('2026-10-25T00:30:00Z'))
    expect(nextOpening(twice, at('2026-10-25T00:45:00Z'))).toEqual(at('2026-10-25T01:30:00Z'))
    expect(nextOpening(twice, at('2026-10-25T01:45:00Z'))).toEqual(at('2026-10-26T01:30:00Z'))
  })

  test('a night over the change is as long as the night is', () => {
    const night = berlin('22:00', '04:00')
    expect(isOpen(night, at('2026-03-29T01:59:00Z'))).toBe(true)
    expect(isOpen(night, at('2026-03-29T02:00:00Z'))).toBe(false)
    expect(isOpen(night, at('2026-10-25T02:59:00Z'))).toBe(true)
    expect(isOpen(night, at('2026-10-25T03:00:00Z'))).toBe(false)
  })

  test('a change of the clock on the next day hides none of its openings', () => {
    const weekend = schedule({
      timezone: 'Europe/Berlin',
      windows: [
        { days: ['sat'], start: '00:00', end: '00:15' },
        { days: ['sun'], start: '00:00', end: '00:00' },
      ],
    })
    expect(nextOpening(weekend, at('2026-03-27T23:15:00Z'))).toEqual(at('2026-03-28T23:00:00Z'))
  })

  test('a midnight that does not exist does not keep a day closed', () => {
    const cairo = schedule({ timezone: 'Africa/Cairo', windows: everyDay('00:00', '01:30') })
    expect(nextOpening(cairo, at('2026-04-23T12:00:00Z'))).toEqual(at('2026-04-23T22:00:00Z'))
  })
})

test('the next opening is open, not before the moment asked for, and nothing is open in between', () => {
  const minute = fc.integer({ min: 0, max: 24 * 4 - 1 })
  const time = minute.map((quarter) => new Date(quarter * 15 * 60_000).toISOString().slice(11, 16))
  const windows = fc.array(fc.record({ days: fc.subarray([...DAYS], { minLength: 1 }), start: time, end: time }), {
    minLength: 1,
    maxLength: 3,
  })
  const timezone = fc.constantFrom(
    'Africa/Lagos',
    'Europe/Berlin',
    'America/St_Johns',
    'Australia/Lord_Howe',
    'Pacific/Apia',
  )
  const moment = fc.date({ min: at('2026-01-01T00:00:00Z'), max: at('2027-01-01T00:00:00Z'), noInvalidDate: true })
  const closed = fc.array(
    moment.map((date) => date.toISOString().slice(0, 10)),
    { maxLength: 3 },
  )
  fc.assert(
    fc.property(timezone, windows, closed, moment, (zone, some, closedDates, from) => {
      const plan = { timezone: zone, windows: some, closedDates }
      const opening = nextOpening(plan, from)
      expect(opening).not.toBeNull()
      expect(isOpen(plan, opening as Date)).toBe(true)
      expect((opening as Date) >= from).toBe(true)
      const quarterMs = 15 * 60_000
      for (let between = from.getTime(); between < (opening as Date).getTime(); between += quarterMs) {
        expect(isOpen(plan, new Date(between))).toBe(false)
      }
    }),
    { numRuns: Number(process.env['SCHEDULE_RUNS'] ?? 200) },
  )
})
