import { forbiddenBecause } from './forbidden.ts'
import { ERRORS, type ErrorCode } from './table.ts'

export type ErrorDetails = Record<string, unknown>

interface Options {
  message?: string
  details?: ErrorDetails
  /** Whole seconds after which a retry makes sense; becomes Retry-After. */
  retryAfterSeconds?: number
  cause?: unknown
}

/** An error that a client may see: its code is in the table, its details hold nothing internal. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError'
  readonly code: ErrorCode
  readonly details: ErrorDetails | undefined
  readonly retryAfterSeconds: number | undefined

  constructor(code: ErrorCode, options: Options = {}) {
    super(options.message ?? defaultOf(code, options.details), { cause: options.cause })
    this.code = code
    this.details = options.details
    this.retryAfterSeconds = options.retryAfterSeconds
  }
}

const defaultOf = (code: ErrorCode, details: ErrorDetails | undefined): string =>
  (code === 'forbidden' ? forbiddenBecause(details) : undefined) ?? ERRORS[code].message

/** One broken rule of one field; `field` is the path in the request, for example `standardized.items[1].name`. */
export interface FieldFault {
  field: string
  rule: string
  message: string
  limit?: number
  allowed?: readonly unknown[]
}

/** Throws validation_error naming all of the faults, where there are any. */
export function refuseFaults(faults: readonly FieldFault[]): void {
  const [first, ...rest] = faults
  if (first) throw validationError([first, ...rest])
}

/** validation_error for the first of the faults, naming them all (at most 100). */
export function validationError(faults: readonly [FieldFault, ...FieldFault[]]): ServiceError {
  const [{ message, ...first }] = faults
  return new ServiceError('validation_error', { message, details: { ...first, fields: faults.slice(0, 100) } })
}
