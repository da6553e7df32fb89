import { ServiceError } from '@svc/errors'
import { readObject, UnfitJson } from '@svc/exact-json'

/** How long a body may be, and how many keys it may have in all. */
export interface JsonLimits {
  maxBytes: number
  maxKeys: number
}

export const USUAL_LIMITS: JsonLimits = { maxBytes: 1024 * 1024, maxKeys: 10_000 }

/**
 * Parses a body that may have been made to hurt; what later layers cannot store or would misread is refused. The field
 * named `opaque`, or everything, is what JSON.stringify writes with every digit that was sent.
 */
export function readJson(
  bytes: Buffer,
  opaque?: string | true,
  { maxKeys }: JsonLimits = USUAL_LIMITS,
): Record<string, unknown> {
  try {
    return readObject(bytes, opaque, maxKeys)
  } catch (error) {
    if (!(error instanceof UnfitJson)) throw error
    const { message, reason } = error
    throw new ServiceError('validation_error', { message, details: { reason } })
  }
}
