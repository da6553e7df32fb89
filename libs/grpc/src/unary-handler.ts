import { type handleUnaryCall, type Metadata, type ServerUnaryCall, status } from '@grpc/grpc-js'
import { ERRORS, ServiceError } from '@svc/errors'
import { createLogger, withLogFields } from '@svc/logging'
import { inTrace } from '@svc/telemetry'
import type { Caller } from './caller.ts'
import { CALLER_METADATA, CallerRefused } from './caller-signature.ts'
import type { Call, UnaryMethod } from './definition.ts'
import { errorTrailer } from './error-trailer.ts'
import { served } from './rpc-metrics.ts'

type Verify = (value: unknown, rpc: string) => Caller
type Handler = (request: unknown, call: Call) => Promise<unknown>

interface Failure {
  code: status
  details: string
  metadata: Metadata
}

const logger = createLogger('grpc')

/** The grpc-js handler of one rpc: establishes the caller and the deadline, runs the handler, turns errors into trailers. */
export function unaryHandler(
  method: UnaryMethod<unknown, unknown>,
  handler: Handler,
  verify: Verify,
): handleUnaryCall<unknown, unknown> {
  const rpc = method.path.slice(1)

  async function answer(call: ServerUnaryCall<unknown, unknown>): Promise<unknown> {
    const deadline = deadlineOf(call)
    const caller = verify(call.metadata.get(CALLER_METADATA)[0], rpc)
    return withLogFields({ request_id: caller.requestId, rpc }, () =>
      handler(call.request, callContext(call, caller, deadline)),
    )
  }

  const serve: handleUnaryCall<unknown, unknown> = (call, callback) => {
    const startedAt = performance.now()
    answer(call).then(
      (response) => {
        served.record(performance.now() - startedAt, { rpc, code: 'ok' })
        callback(null, response)
      },
      (error: unknown) => {
        const shown = publicError(error, rpc)
        served.record(performance.now() - startedAt, { rpc, code: shown.code })
        callback(failureOf(shown, error))
      },
    )
  }
  return (call, callback) => inTrace(call.metadata.get('traceparent')[0]?.toString(), () => serve(call, callback))
}

function deadlineOf(call: ServerUnaryCall<unknown, unknown>): Date {
  const deadline = call.getDeadline()
  if (deadline === Number.POSITIVE_INFINITY) throw new CallerRefused('the call has no deadline')
  return deadline instanceof Date ? deadline : new Date(deadline)
}

/** The signal is made on first use: most handlers never look at it. */
function callContext(call: ServerUnaryCall<unknown, unknown>, caller: Caller, deadline: Date): Call {
  let controller: AbortController | undefined
  return {
    caller,
    deadline,
    get signal() {
      if (!controller) {
        const created = new AbortController()
        if (call.cancelled) created.abort()
        else call.once('cancelled', () => created.abort())
        controller = created
      }
      return controller.signal
    },
  }
}

function publicError(error: unknown, rpc: string): ServiceError {
  if (error instanceof ServiceError) return error
  if (error instanceof CallerRefused) logger.warn({ rpc, reason: error.message }, 'a call was refused')
  else logger.error({ err: error, rpc }, 'an rpc failed')
  return new ServiceError('internal_error')
}

function failureOf(shown: ServiceError, error: unknown): Failure {
  const code = error instanceof CallerRefused ? status.UNAUTHENTICATED : status[ERRORS[shown.code].grpc]
  return { code, details: shown.code, metadata: errorTrailer(shown) }
}
