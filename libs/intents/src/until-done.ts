import { ServiceError } from '@svc/errors'

/** For a call that nothing may end but its success: whatever fails, the other side's refusal too, leaves its intent open. */
export async function untilDone<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    throw new ServiceError('service_unavailable', { cause: error })
  }
}
