import { isOutage } from '@svc/database'
import { ServiceError } from '@svc/errors'

/**
 * Runs what changes the database. Where the database was not there, had no connection free or could not give its locks in
 * time, the caller is told to come again; what a lost connection was about to commit may have been committed.
 */
export async function decided<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (error instanceof ServiceError || !isOutage(error)) throw error
    throw new ServiceError('service_unavailable', { retryAfterSeconds: 1, cause: error })
  }
}
