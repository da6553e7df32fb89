import { ServiceError } from '@svc/errors'

const LOCK_NOT_AVAILABLE = '55P03'
const DEADLOCK = '40P01'

/** Runs what changes the database; where it could not get its locks in time it decided nothing, which the caller is told. */
export async function decided<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    const { code } = error as { code?: string }
    if (code !== LOCK_NOT_AVAILABLE && code !== DEADLOCK) throw error
    throw new ServiceError('service_unavailable', { retryAfterSeconds: 1, cause: error })
  }
}
