/** When clients were told that a route will go, and from when on it may be gone: ISO dates, half a year apart at least. */
export interface Deprecation {
  since: string
  sunset: string
  /** What to call in its place, as a sentence. */
  instead: string
}

/** What a deprecated route says on each of its answers: RFC 9745, RFC 8594 and where to read on. */
export type DeprecationHeaders = ReadonlyArray<readonly [name: string, value: string]>

const POLICY_PAGE = '/docs/guides/versions'

export const deprecationHeaders = ({ since, sunset }: Deprecation): DeprecationHeaders => [
  ['Deprecation', `@${Date.parse(since) / 1000}`],
  ['Sunset', new Date(sunset).toUTCString()],
  ['Link', `<${POLICY_PAGE}>; rel="deprecation"; type="text/html"`],
]

/** The same, for the reference. */
export const deprecationNote = ({ since, sunset, instead }: Deprecation): string =>
  `Deprecated since ${since}, and may be gone from ${sunset} on. ${instead}`
