import { ServiceError } from '@svc/errors'
import { readObject, UnfitJson } from '@svc/exact-json'

/**
 * Parses a body that may have been made to hurt; what later layers cannot store or would misread is refused. The field
 * named `opaque` is what JSON.stringify writes with every digit that was sent.
 */
export function readJson(bytes: Buffer, opaque?: string): Record<string, unknown> {
  try {
    return readObject(bytes, opaque)
  } catch (error) {
    if (!(error instanceof UnfitJson)) throw error
    const { message, reason } = error
    throw new ServiceError('validation_error', { message, details: { reason } })
  }
}
