import { isOutage, isTimeout } from '@svc/database'
import { ServiceError } from '@svc/errors'
import { createLogger } from '@svc/logging'

const logger = createLogger('transact')

/**
 * Runs what changes the database. Where the database was not there, had no connection free, could not give its locks in
 * time or took too long over a statement, the caller is told to come again; what a lost connection was about to commit
 * may have been committed.
 */
export async function decided<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (error instanceof ServiceError || !(isOutage(error) || isTimeout(error))) throw error
    if (isTimeout(error)) logger.warn({ err: error }, 'a statement took too long; its caller is told to come again')
    throw new ServiceError('service_unavailable', { retryAfterSeconds: 1, cause: error })
  }
}
