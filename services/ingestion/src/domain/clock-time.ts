const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
/** Nobody plans a delivery further ahead by text message. */
const MAX_AHEAD_MS = 7 * DAY_MS

const SOON = /^(now|asap|a\.s\.a\.p\.?|soon|immediately|right (now|away)|as soon as possible)\b/i
const WITHIN = /^in (\d{1,3}) ?(min|mins|minutes?|h|hrs?|hours?)\b/i
const CLOCK = /\b(\d{1,2})(?:[:.](\d{2}))? ?(am|pm)?\b/i
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/

/** When something is wanted. */
export type Wanted = 'soon' | Date

/**
 * The time that a person's words mean, as the clock in that zone shows it: the next one that is to come. Null where they
 * mean none, or one too far away.
 */
export function timeIn(text: string, now: Date, timezone: string): Wanted | null {
  const words = text.trim()
  if (SOON.test(words)) return 'soon'
  const found = within(words, now) ?? instant(words) ?? clock(words, now, timezone)
  return found && found > now && found.getTime() - now.getTime() <= MAX_AHEAD_MS ? found : null
}

function within(words: string, now: Date): Date | null {
  const [, count, unit] = WITHIN.exec(words) ?? []
  if (count === undefined || unit === undefined) return null
  return new Date(now.getTime() + Number(count) * (unit.toLowerCase().startsWith('h') ? 60 : 1) * MINUTE_MS)
}

const instant = (words: string): Date | null => {
  const date = INSTANT.test(words) ? new Date(words) : null
  return date && !Number.isNaN(date.getTime()) ? date : null
}

function clock(words: string, now: Date, timezone: string): Date | null {
  const [, hours, minutes, half] = CLOCK.exec(words) ?? []
  // A number alone may be anything.
  if (hours === undefined || (minutes === undefined && half === undefined)) return null
  const [hour, minute] = [hourOf(Number(hours), half?.toLowerCase()), Number(minutes ?? 0)]
  if (hour === null || minute > 59) return null
  const offsetMs = offsetOf(timezone, now)
  const local = new Date(now.getTime() + offsetMs)
  const isTomorrow = /\btomorrow\b/i.test(words)
  const today = Date.UTC(local.getUTCFullYear(), local.getUTCMonth(), local.getUTCDate(), hour, minute) - offsetMs
  return new Date(isTomorrow || today <= now.getTime() ? today + DAY_MS : today)
}

function hourOf(hour: number, half: string | undefined): number | null {
  if (half === undefined) return hour <= 23 ? hour : null
  if (hour < 1 || hour > 12) return null
  return (hour % 12) + (half === 'pm' ? 12 : 0)
}

/** By how much the clocks of a zone are ahead of UTC then. */
export function offsetOf(timezone: string, at: Date): number {
  const named = new Intl.DateTimeFormat('en', { timeZone: timezone, timeZoneName: 'longOffset' })
    .formatToParts(at)
    .find(({ type }) => type === 'timeZoneName')?.value
  const [, sign, hours, minutes] = /GMT([+-])(\d\d):(\d\d)/.exec(named ?? '') ?? []
  if (sign === undefined) return 0
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * MINUTE_MS
}
