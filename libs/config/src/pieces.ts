import { readFileSync } from 'node:fs'
import { z } from 'zod'

const UNIT_MS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const

/** A switch: true/1/yes/on/enabled or false/0/no/off/disabled. */
export const flag = z.stringbool()

/** A TCP port; 0 lets the system choose. */
export const port = z.coerce.number('must be a port').int().min(0).max(65_535)

/** A whole number; narrow it with min() and max(). */
export const integer = z.coerce.number('must be a whole number').int()

/** A length of time in milliseconds, written as `1500`, `1500ms`, `5s`, `2m`, `1h` or `1d`. */
export const durationMs = z
  .string()
  .regex(/^\d+(ms|s|m|h|d)?$/, 'must be a duration such as 1500, 5s or 2m')
  .transform((text) => {
    const unit = /[a-z]+$/.exec(text)?.[0] as keyof typeof UNIT_MS | undefined
    return Number.parseInt(text, 10) * UNIT_MS[unit ?? 'ms']
  })

/**
 * How long a process goes on serving after it was told to stop, while it says that it does not serve: at least as long as
 * whatever sends it traffic takes to notice.
 */
export const drainDelayMs = durationMs.default(0)

/** The path of a file that can be read. */
export const file = z.string().refine(isReadable, { message: 'must be the path of a file that can be read' })

function isReadable(path: string): boolean {
  try {
    readFileSync(path)
    return true
  } catch {
    return false
  }
}

/** A comma-separated list without empty entries. */
export const csv = z.string().transform((text) =>
  text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== ''),
)

/** The same where a list must be stated: `none` says that it is empty. */
export const statedCsv = csv.transform((entries) => (entries.length === 1 && entries[0] === 'none' ? [] : entries))

/** At least 32 bytes of key material in base64 or base64url. */
export const secretBase64 = z
  .string()
  .regex(/^[A-Za-z0-9+/_-]+={0,2}$/, 'must be base64')
  .transform((text) => Buffer.from(text, 'base64'))
  .refine((bytes) => bytes.length >= 32, 'must hold at least 32 bytes')

/** Several of them by commas: the first is in use, whatever another has made counts too. */
export const secretsBase64 = csv.pipe(z.tuple([secretBase64], secretBase64))

/** What kind of run this is. Nothing is looser for its sake unless it says so: what states nothing is production. */
export const nodeEnv = z.enum(['production', 'development', 'test']).default('production')

/** The URL of a provider, which must be stated: `none` says that there is to be none. */
export const statedUrl = z
  .string()
  .refine((text) => text === 'none' || URL.canParse(text), 'must be a URL, or none')
  .transform((text) => (text === 'none' ? undefined : text))

/** Where a peer is, as host:port. Nothing is switched off by leaving it out: `none` says that there is to be no such peer. */
export const peerAddress = z
  .string()
  .min(1)
  .transform((text) => (text === 'none' ? undefined : text))
