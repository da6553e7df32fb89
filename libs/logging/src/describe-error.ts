interface DescribedError {
  type: string
  message: string
  stack?: string
  /** The error's own `code`: a name such as ECONNREFUSED, a SQLSTATE or a code of the error table. */
  error_code?: string
  constraint?: string
  cause?: DescribedError
  errors?: DescribedError[]
}

const MAX_DEPTH = 4

/**
 * What a log line tells of an error: a chosen list of fields, since drivers hang rows and requests on their errors
 * (the `detail` of a Postgres error holds the offending values).
 */
export function describeError(error: unknown, depth = 0): DescribedError {
  if (!(error instanceof Object) || !('message' in error)) return { type: typeof error, message: String(error) }
  const { name, message, stack, code, constraint, cause, errors } = error as Error & Record<string, unknown>
  const described: DescribedError = { type: String(name ?? 'Error'), message: String(message) }
  if (stack !== undefined) described.stack = stack
  if (typeof code === 'string' || typeof code === 'number') described.error_code = String(code)
  if (typeof constraint === 'string') described.constraint = constraint
  if (depth === MAX_DEPTH) return described
  if (cause !== undefined) described.cause = describeError(cause, depth + 1)
  if (Array.isArray(errors)) described.errors = errors.slice(0, 5).map((each) => describeError(each, depth + 1))
  return described
}
