import type { Logger } from '@svc/logging'
import type { SecretBox } from '@svc/sealing'

const LOG_EVERY_MS = 60_000

/** Opens a sealed secret; null where none of our keys does. */
export type OpenSecret = (...sealed: Parameters<SecretBox['open']>) => string | null

/**
 * What no key opens verifies nothing, like a secret that is missing, and stands in nobody's way. It is logged, one a minute: any
 * hook that names its merchant has it tried.
 */
export function secretOpener(box: SecretBox, logger: Logger): OpenSecret {
  let logAgainAt = 0
  return (place, sealed) => {
    try {
      return box.open(place, sealed)
    } catch (error) {
      if (performance.now() >= logAgainAt) {
        logger.error({ err: error, ...place }, 'a secret cannot be opened; its merchant must set it anew')
        logAgainAt = performance.now() + LOG_EVERY_MS
      }
      return null
    }
  }
}
