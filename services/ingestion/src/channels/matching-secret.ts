import { randomBytes, timingSafeEqual } from 'node:crypto'
import type { Secret } from './channel.ts'

/** Stands in where there is no secret; no sender can know it. */
const DECOY = randomBytes(32).toString('hex')

/**
 * The first secret whose digest is the given one, or null. It takes as long whichever fits and whether there is one; an
 * absent or empty secret never fits.
 */
export function matchingSecret(
  given: Buffer,
  secrets: readonly Secret[],
  digestBy: (secret: string) => Buffer,
): Secret | null {
  let found: Secret | null = null
  for (const secret of secrets) {
    const digest = digestBy(secret.text || DECOY)
    const fits = digest.length === given.length && timingSafeEqual(digest, given)
    if (fits && secret.text) found ??= secret
  }
  return found
}
