/** By the provider's words for the intervals of plans. */
const PERIODS: ReadonlyMap<string, string> = new Map([
  ['hourly', '1 hour'],
  ['daily', '1 day'],
  ['weekly', '7 days'],
  ['monthly', '1 month'],
  ['quarterly', '3 months'],
  ['biannually', '6 months'],
  ['annually', '1 year'],
])

/** How long a payment for a plan of this interval lasts, in words of SQL; a month where the provider has a new word. */
export const periodOf = (interval: string): string => PERIODS.get(interval) ?? '1 month'
