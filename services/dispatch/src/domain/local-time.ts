export interface LocalTime {
  /** YYYY-MM-DD. */
  date: string
  /** Of the day, with its fraction. */
  minute: number
}

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS

/** Minutes from midnight of HH:MM. */
export const minutesOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3))

/** The date so many days later. */
export const nextDate = (date: string, days: number): string =>
  new Date(Date.parse(`${date}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10)

/** What calendar and clock of a timezone show at a moment. */
export function localTimeAt(timezone: string, at: Date): LocalTime {
  const wall = new Date(at.getTime() + offsetMs(timezone, at.getTime()))
  const date = wall.toISOString().slice(0, 10)
  return { date, minute: (wall.getTime() - Date.parse(`${date}T00:00:00Z`)) / MINUTE_MS }
}

/**
 * The moments, in order, at which the clock may show one of these minutes of a date: every one of them where the clock
 * is set back, and the jump itself where it is set forward over one.
 */
export function openingsOf(timezone: string, date: string, minutes: readonly number[]): Date[] {
  const midnight = Date.parse(`${date}T00:00:00Z`)
  // No place is further than 14 hours from UTC, so that the whole local date lies between the two.
  const [before, after] = [
    offsetMs(timezone, midnight - 14 * 60 * MINUTE_MS),
    offsetMs(timezone, midnight + 2 * DAY_MS),
  ]
  const moments = new Set<number>()
  for (const minute of minutes) {
    for (const offset of [before, after]) moments.add(midnight + minute * MINUTE_MS - offset)
  }
  if (before !== after) moments.add(changeBetween(timezone, midnight - 14 * 60 * MINUTE_MS, midnight + 2 * DAY_MS))
  // What another date shows belongs to that one, and may come before or after openings of its own.
  return [...moments]
    .sort((a, b) => a - b)
    .map((moment) => new Date(moment))
    .filter((moment) => localTimeAt(timezone, moment).date === date)
}

/** When the offset changes between two moments that differ in it. */
function changeBetween(timezone: string, from: number, to: number): number {
  const offset = offsetMs(timezone, from)
  let [low, high] = [from, to]
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (offsetMs(timezone, middle) === offset) low = middle
    else high = middle
  }
  return high
}

const formats = new Map<string, Intl.DateTimeFormat>()

/** Making a format costs a thousand times what using it does. There are some hundred timezones. */
function formatOf(timezone: string): Intl.DateTimeFormat {
  const known = formats.get(timezone)
  if (known) return known
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: timezone,
    calendar: 'iso8601',
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })
  formats.set(timezone, format)
  return format
}

/** By how much the clock of a timezone is ahead of UTC. */
function offsetMs(timezone: string, at: number): number {
  const parts: Record<string, number> = {}
  for (const { type, value } of formatOf(timezone).formatToParts(at)) parts[type] = Number(value)
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts
  const wholeSeconds = Math.floor(at / 1000) * 1000
  return Date.UTC(year, month - 1, day, hour, minute, second) - wholeSeconds
}
