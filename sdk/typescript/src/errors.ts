import type { ErrorCode, ErrorDetails } from './generated/types.ts'

/** What an answer of the API refused, by its code. `message` is for people and may change; decide by `code`. */
export class DispatchError extends Error {
  override readonly name = 'DispatchError'
  /** HTTP status. */
  readonly status: number
  readonly code: ErrorCode
  /** What the code has to say: `field` and `fields` of a validation_error, `required` of a forbidden, … */
  readonly details: Readonly<ErrorDetails>
  /** Names the request in logs and traces; quote it when you ask about it. */
  readonly requestId: string | undefined
  /** Seconds that the answer asked to wait, where it did. */
  readonly retryAfterSeconds: number | undefined

  constructor(response: Response, body: unknown) {
    const { error, message, details, request_id: requestId } = envelope(body)
    super(message ?? unknown(response))
    this.status = response.status
    this.code = error ?? 'unknown'
    this.details = details ?? {}
    this.requestId = requestId ?? response.headers.get('x-request-id') ?? undefined
    this.retryAfterSeconds = retryAfter(response)
  }
}

/** A browser says of a redirect neither its status nor where it leads. */
const unknown = ({ type, status }: Response): string =>
  type === 'opaqueredirect' || (status >= 300 && status < 400)
    ? 'The answer leads elsewhere, which is not followed: look at baseUrl.'
    : `HTTP ${status} without an error that this client knows`

/** No answer came: the connection failed, or broke off. Whether the request took effect is not known. */
export class ConnectionError extends Error {
  override readonly name: string = 'ConnectionError'
}

/** No answer came in time. Whether the request took effect is not known. */
export class TimeoutError extends ConnectionError {
  override readonly name = 'TimeoutError'
}

function retryAfter(response: Response): number | undefined {
  const value = response.headers.get('retry-after')
  if (value === null) return undefined
  const seconds = /^\d+$/.test(value) ? Number(value) : (Date.parse(value) - Date.now()) / 1000
  return Number.isFinite(seconds) ? Math.max(0, seconds) : undefined
}

interface Envelope {
  error?: string
  message?: string
  details?: ErrorDetails
  request_id?: string
}

/** A proxy may answer in our place: then the body is whatever it is. */
const envelope = (body: unknown): Envelope =>
  typeof body === 'object' && body !== null && typeof (body as Envelope).error === 'string' ? (body as Envelope) : {}
