import { type Credential, epochKey } from '@svc/credentials'
import { createLogger } from '@svc/logging'
import { metrics } from '@svc/telemetry'
import type { Redis } from 'ioredis'

const logger = createLogger('epochs')
const unpublished = metrics.counter(
  'epochs_unpublished',
  'Epochs that Redis did not take; gateways learn of them within 5 s',
  [{}],
)

export interface CredentialEpoch {
  credential: Credential
  epoch: number
}

/** Far longer than any verdict is kept: when an epoch has gone, every gateway asks again. */
const TTL_SECONDS = 86_400

// Never lowers: a verdict read before a revocation may be published after it.
const RAISE = `
for i, key in ipairs(KEYS) do
  if tonumber(redis.call('GET', key) or '-1') < tonumber(ARGV[i]) then
    redis.call('SET', key, ARGV[i], 'EX', ARGV[#ARGV])
  end
end`

export interface Epochs {
  /**
   * Puts the epochs where every gateway looks on every request. When Redis does not answer it returns all the same:
   * the 5 s for which a gateway trusts a verdict are then the bound.
   */
  publish(epochs: readonly CredentialEpoch[]): Promise<void>
}

/** Publishes epochs under the prefix of this installation. */
export function createEpochs(redis: Redis, prefix: string): Epochs {
  let isAway = false
  return {
    async publish(epochs) {
      if (epochs.length === 0) return
      const keys = epochs.map(({ credential }) => prefix + epochKey(credential))
      try {
        await redis.eval(RAISE, keys.length, ...keys, ...epochs.map(({ epoch }) => epoch), TTL_SECONDS)
        isAway = false
      } catch (err) {
        unpublished.add(epochs.length)
        // Once per outage: this runs on every verdict.
        if (!isAway) logger.error({ err }, 'epochs are not published while Redis is away')
        isAway = true
      }
    },
  }
}
