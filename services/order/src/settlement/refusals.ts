import type { CommissionOutcome } from '@svc/contracts/wallet/v1/commission_service'
import { ServiceError } from '@svc/errors'

const RETRY_AFTER_SECONDS = 2

/** The wallet said no: the status was not entered. */
export function declined({ required_minor, balance_minor }: CommissionOutcome): ServiceError {
  return new ServiceError('insufficient_merchant_wallet', { details: { required_minor, balance_minor } })
}

/** Nothing is known yet; the intent goes on, and the same request again shares its outcome. */
export function undecided(intentId?: string, cause?: unknown): ServiceError {
  return new ServiceError('service_unavailable', {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
    cause,
    ...(intentId !== undefined && { details: { intent_id: intentId } }),
  })
}
