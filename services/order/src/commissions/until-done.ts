import { ServiceError } from '@svc/errors'

/** No error declines what was settled, the wallet's or our own: it stays due until it is done. */
export async function untilDone<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    throw new ServiceError('service_unavailable', { cause: error })
  }
}
