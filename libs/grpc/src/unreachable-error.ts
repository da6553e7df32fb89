import { ServiceError } from '@svc/errors'

/** Whether the call that failed had an effect: `no` is certain, `unknown` must be found out before it is repeated. */
export type Applied = 'no' | 'unknown'

/** service_unavailable because the other process could not be reached or did not answer in time. */
export class UnreachableError extends ServiceError {
  readonly applied: Applied

  constructor(applied: Applied, cause?: unknown) {
    super('service_unavailable', { cause })
    this.applied = applied
  }
}
