import { DEFAULT_EVENTS, EVENTS } from '@svc/public-bodies'

const DEFAULTS: ReadonlySet<string> = new Set(DEFAULT_EVENTS)
const OPT_INS: ReadonlySet<string> = new Set(EVENTS.filter((event) => !DEFAULTS.has(event)))

/** Whether a fact of this type is an event only where it is listed. */
export const isOptIn = (type: string): boolean => OPT_INS.has(type)

/** Whether a fact of this type is an event of a merchant that lists these; other facts only advance the version. */
export const isEventOf = (type: string, listed: ReadonlySet<string>): boolean =>
  DEFAULTS.has(type) || (OPT_INS.has(type) && listed.has(type))
