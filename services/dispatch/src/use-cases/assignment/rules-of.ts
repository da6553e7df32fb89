import type { Config } from '../../config.ts'
import type { DispatchRules } from '../../domain/dispatch-rules.ts'

const SECOND_MS = 1_000
const MINUTE_MS = 60_000

/** The operator's settings as the rules of dispatch. */
export const rulesOf = (config: Config): DispatchRules => ({
  leadMs: config.dispatchLeadMinutes * MINUTE_MS,
  offerTtlMs: config.offerTtlSeconds * SECOND_MS,
  delayedAfterMs: config.dispatchDelayedMinutes * MINUTE_MS,
  exhaustedAfterMs: config.dispatchMaxMinutes * MINUTE_MS,
  retryMs: config.dispatchRetryMinutes * MINUTE_MS,
  radiiM: config.dispatchRadiiMetres,
  loadPenaltyM: config.dispatchLoadPenaltyMetres,
  maxActiveOrders: config.riderMaxActiveOrders,
  codCapMinor: config.riderCodCapMinor ?? null,
  maxLocationAgeSeconds: config.offerLocationMaxAgeSeconds,
  kycRequired: config.riderKycRequired,
})
