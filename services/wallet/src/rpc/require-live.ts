import { ServiceError } from '@svc/errors'
import type { Call } from '@svc/grpc'

/** Refuses test credentials: what is asked for moves real money. */
export function requireLive({ caller }: Call): void {
  if (caller.isTest === true) throw new ServiceError('forbidden', { details: { reason: 'live_mode_required' } })
}
