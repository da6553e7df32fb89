import { Metadata } from '@grpc/grpc-js'
import { ERRORS, type ErrorCode, type ErrorDetails, ServiceError } from '@svc/errors'
import { type Applied, UnreachableError } from './unreachable-error.ts'

const ERROR_TRAILER = 'svc-error-bin'
const MAX_TRAILER_BYTES = 8 * 1024
const MAX_MESSAGE_LENGTH = 1_024

interface WireError {
  code: ErrorCode
  message: string
  details?: ErrorDetails
  retry_after_seconds?: number
  applied?: Applied
}

/** The trailer that carries an error. */
export function errorTrailer(error: ServiceError): Metadata {
  const metadata = new Metadata()
  metadata.set(ERROR_TRAILER, errorBytes(error))
  return metadata
}

/** An error on the wire, at most 8 KiB: details that do not fit lose entries of `fields`, then everything. */
export function errorBytes(error: ServiceError): Buffer {
  return encodeBounded({
    code: error.code,
    message: error.message.slice(0, MAX_MESSAGE_LENGTH),
    details: error.details,
    retry_after_seconds: error.retryAfterSeconds,
    applied: error instanceof UnreachableError ? error.applied : undefined,
  })
}

function encodeBounded(wire: WireError): Buffer {
  const encoded = Buffer.from(JSON.stringify(wire))
  if (encoded.length <= MAX_TRAILER_BYTES) return encoded
  const fields = wire.details?.['fields']
  if (!Array.isArray(fields) || fields.length <= 1) return encodeBounded({ ...wire, details: { truncated: true } })
  const kept = fields.slice(0, Math.floor(fields.length / 2))
  return encodeBounded({ ...wire, details: { ...wire.details, fields: kept, truncated: true } })
}

/** The error that a trailer carries, or undefined when there is none that can be read. */
export function errorOfTrailer(metadata: Metadata | undefined): ServiceError | undefined {
  const bytes = metadata?.get(ERROR_TRAILER)[0]
  return Buffer.isBuffer(bytes) ? errorOfBytes(bytes) : undefined
}

/** The error that was put on the wire, or undefined when it cannot be read. */
export function errorOfBytes(bytes: Buffer): ServiceError | undefined {
  try {
    return fromWire(JSON.parse(bytes.toString()) as WireError)
  } catch {
    return undefined
  }
}

function fromWire(wire: WireError): ServiceError {
  if (wire.applied) return new UnreachableError(wire.applied)
  if (!Object.hasOwn(ERRORS, wire.code)) return new ServiceError('internal_error')
  const { code, message, details, retry_after_seconds: retryAfterSeconds } = wire
  return new ServiceError(code, { message, details, retryAfterSeconds })
}
