import type { ServerResponse } from 'node:http'
import { ERRORS, type ErrorCode, ServiceError } from '@svc/errors'
import type { AccessLog } from './access-log.ts'
import { TOP_LEVEL } from './error-details.ts'
import { send } from './exchange.ts'
import { NOT_JUDGED } from './too-many.ts'

/** What a client waits where no service said how long. */
const SOON_SECONDS = 1

/** The body of an error: nothing of the inside of the system leaves with it. */
export function errorBody({ code, message, details }: ServiceError, requestId: string): Record<string, unknown> {
  const body: Record<string, unknown> = { error: code, message, details, request_id: requestId }
  for (const name of TOP_LEVEL[code] ?? []) body[name] = details?.[name]
  return body
}

/** How an error is spelt: a foreign protocol has a way of its own, and so has a page. */
interface ErrorShape {
  contentType: string
  textOf: (error: ServiceError, requestId: string) => string
}

const OURS: ErrorShape = {
  contentType: 'application/json',
  textOf: (error, requestId) => JSON.stringify(errorBody(error, requestId)),
}

interface Answering {
  requestId: string
  log: AccessLog
  shape?: ErrorShape | undefined
}

/** Answers with an error, and returns its code; what is not a ServiceError is logged and becomes internal_error. */
export function sendError(
  response: ServerResponse,
  error: unknown,
  { requestId, log, shape: { contentType, textOf } = OURS }: Answering,
): ErrorCode {
  const known = error instanceof ServiceError ? error : new ServiceError('internal_error', { cause: error })
  const { http } = ERRORS[known.code]
  // Whoever floods us would take the lines of others with each post that gets no turn.
  if (http >= 500 && http !== 501 && known.details?.['reason'] !== NOT_JUDGED) log.fail(error, known.code, requestId)
  if (response.headersSent) {
    response.destroy()
    return known.code
  }
  if (http === 401) response.setHeader('WWW-Authenticate', 'Bearer')
  if (http === 413) response.setHeader('Connection', 'close')
  const { retryAfterSeconds = known.code === 'service_unavailable' ? SOON_SECONDS : undefined } = known
  if (retryAfterSeconds !== undefined) response.setHeader('Retry-After', retryAfterSeconds)
  send(response, http, contentType, textOf(known, requestId))
  return known.code
}
