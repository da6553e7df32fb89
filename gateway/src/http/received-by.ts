import { ServiceError } from '@svc/errors'
import type { Services } from '../services.ts'
import type { SignedRequest } from './route.ts'

const RETRY_AFTER_SECONDS = 30

/** What a third party is answered whose hook of that channel was taken; throws what it is told otherwise. */
export async function receivedBy(
  channel: string,
  merchant_id: string | undefined,
  raw: SignedRequest,
  services: Services,
) {
  const received = services.hook.receiveHook({ channel, merchant_id, ...raw })
  return { received: true as const, ...(await received.catch(comeAgain)) }
}

/** An ingestion service that does not answer at all will again: the sender is told when to try. */
function comeAgain(error: unknown): never {
  const isAway = error instanceof ServiceError && error.code === 'service_unavailable'
  if (!isAway || error.retryAfterSeconds !== undefined) throw error
  throw new ServiceError('service_unavailable', { retryAfterSeconds: RETRY_AFTER_SECONDS, cause: error })
}
