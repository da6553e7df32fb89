import { localTimeAt, minutesOf, nextDate, openingsOf } from './local-time.ts'

export const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const
export type Day = (typeof DAYS)[number]

/** When dispatch runs for a merchant, by the clock on the wall. Without windows it runs on every day that is not closed. */
export interface Schedule {
  /** IANA name. */
  timezone: string
  windows: readonly ScheduleWindow[]
  /** YYYY-MM-DD. Nothing runs on such a day, and nothing that would have begun on it. */
  closedDates: readonly string[]
}

export interface ScheduleWindow {
  days: readonly Day[]
  /** HH:MM; an end at or before the start belongs to the next day. */
  start: string
  end: string
}

const WHOLE_DAY: readonly ScheduleWindow[] = [{ days: DAYS, start: '00:00', end: '00:00' }]
const DAY_MINUTES = 24 * 60

/** Whether the schedule is open at that moment. The start of a window belongs to it, its end does not. */
export function isOpen(schedule: Schedule, at: Date): boolean {
  const { date, minute } = localTimeAt(schedule.timezone, at)
  if (schedule.closedDates.includes(date)) return false
  const isWithin = (first: string, minuteOfFirst: number): boolean =>
    windowsFrom(schedule, first).some(({ start, end }) => start <= minuteOfFirst && minuteOfFirst < end)
  return isWithin(date, minute) || isWithin(nextDate(date, -1), minute + DAY_MINUTES)
}

/** The first moment from `at` on at which the schedule is open; null when it never opens again. */
export function nextOpening(schedule: Schedule, at: Date): Date | null {
  if (isOpen(schedule, at)) return at
  // From the day before, into which a clock may still be set back.
  let date = nextDate(localTimeAt(schedule.timezone, at).date, -1)
  // Each closed day hides at most one week of a weekly plan.
  for (let days = 0; days <= 7 * (schedule.closedDates.length + 2); days++, date = nextDate(date, 1)) {
    const windows = windowsFrom(schedule, date)
    // A night that has ended begins once more where the clock is set back into it.
    const isNightBefore = windowsFrom(schedule, nextDate(date, -1)).some(({ end }) => end > DAY_MINUTES)
    if (windows.length === 0 && !isNightBefore) continue
    const starts = windows.map(({ start }) => start)
    const opening = openingsOf(schedule.timezone, date, starts).find(
      (moment) => moment >= at && isOpen(schedule, moment),
    )
    if (opening) return opening
  }
  return null
}

/** The windows that begin on a date, in minutes from its midnight; an end beyond 24 hours is on the next day. */
function windowsFrom({ windows, closedDates }: Schedule, date: string): Array<{ start: number; end: number }> {
  if (closedDates.includes(date)) return []
  const day = DAYS[(new Date(`${date}T00:00:00Z`).getUTCDay() + 6) % 7] as Day
  return (windows.length === 0 ? WHOLE_DAY : windows)
    .filter(({ days }) => days.includes(day))
    .map(({ start, end }) => {
      const [from, to] = [minutesOf(start), minutesOf(end)]
      return { start: from, end: to <= from ? to + DAY_MINUTES : to }
    })
}
