import type {
  Schedule as ScheduleMessage,
  ScheduleWindow as WindowMessage,
} from '@svc/contracts/dispatch/v1/place_service'
import { type FieldFault, refuseFaults } from '@svc/errors'
import { DAYS, type Day, type Schedule } from './schedule.ts'

const MAX_WINDOWS = 100
const MAX_CLOSED_DATES = 1_000
const TIME = /^([01]\d|2[0-3]):[0-5]\d$/

const NOTHING_SAID: ScheduleMessage = { timezone: '', windows: [], closed_dates: [] }

/** Reads a schedule; throws validation_error naming everything that is not valid. */
export function readSchedule({ timezone, windows, closed_dates }: ScheduleMessage = NOTHING_SAID): Schedule {
  const faults: FieldFault[] = []
  const check = (isValid: boolean, field: string, rule: string, message: string): void => {
    if (!isValid) faults.push({ field, rule, message: `${field} ${message}` })
  }
  check(isTimezone(timezone), 'timezone', 'timezone', 'must be an IANA name such as Africa/Lagos.')
  check(windows.length <= MAX_WINDOWS, 'windows', 'max', `may have at most ${MAX_WINDOWS} items.`)
  check(closed_dates.length <= MAX_CLOSED_DATES, 'closed_dates', 'max', `may have at most ${MAX_CLOSED_DATES} items.`)
  windows.forEach(({ days, start, end }, index) => {
    const at = `windows[${index}]`
    check(isListOfDays(days), `${at}.days`, 'enum', `must name days of ${DAYS.join(', ')}, each once.`)
    check(TIME.test(start), `${at}.start`, 'time', 'must be a time HH:MM.')
    check(TIME.test(end), `${at}.end`, 'time', 'must be a time HH:MM.')
  })
  closed_dates.forEach((date, index) => {
    check(isDate(date), `closed_dates[${index}]`, 'date', 'must be a date YYYY-MM-DD that exists.')
  })
  refuseFaults(faults)
  return { timezone, windows: windows.map(windowOf), closedDates: [...new Set(closed_dates)].sort() }
}

const windowOf = ({ days, start, end }: WindowMessage) => ({
  days: DAYS.filter((day) => days.includes(day)),
  start,
  end,
})

const isListOfDays = (days: readonly string[]): boolean =>
  days.length > 0 && new Set(days).size === days.length && days.every((day) => DAYS.includes(day as Day))

/** Offsets such as +01:00 are no names: they know nothing of summer time. */
function isTimezone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

function isDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text) || text.startsWith('0000')) return false
  const at = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text)
}
