import { status } from '@grpc/grpc-js'
import { ERRORS, ServiceError } from '@svc/errors'
import { createLogger, withLogFields } from '@svc/logging'
import type { Caller } from './caller.ts'
import { CallerRefused, type Presented, type Verify } from './caller-signature.ts'
import type { Call, UnaryMethod } from './definition.ts'
import { recordServed } from './rpc-metrics.ts'
import { inServerSpan } from './rpc-span.ts'
import { rpcOf } from './transport.ts'

export type Handler = (request: unknown, call: Call) => Promise<unknown>

/** One call that has arrived, by whichever transport. */
export interface Incoming {
  /** As it was sent. */
  request: Buffer
  /** As it was signed. */
  caller: unknown
  isCertified: Presented['isCertified']
  /** undefined: the call has none, and is refused. */
  deadline: Date | undefined
  isCancelled(): boolean
  onCancelled(listener: () => void): void
}

export type Answer = { response: unknown } | { error: ServiceError; status: status }

const logger = createLogger('grpc')

/** One rpc as it is served: establishes the caller and the deadline, runs the handler, and never throws. */
export function servedRpc(
  method: UnaryMethod<unknown, unknown>,
  handler: Handler,
  verify: Verify,
): (incoming: Incoming) => Promise<Answer> {
  const rpc = rpcOf(method)

  async function handled(incoming: Incoming): Promise<unknown> {
    const { deadline, request, isCertified } = incoming
    if (!deadline) throw new CallerRefused('the call has no deadline')
    const caller = verify({ value: incoming.caller, rpc, request, isCertified })
    const message = method.requestDeserialize(request)
    return withLogFields({ request_id: caller.requestId, rpc }, () =>
      handler(message, callContext(incoming, caller, deadline)),
    )
  }

  async function answered(incoming: Incoming): Promise<Answer> {
    const startedAt = performance.now()
    try {
      const response = await handled(incoming)
      recordServed(rpc, 'ok', startedAt)
      return { response }
    } catch (error) {
      const shown = publicError(error, rpc)
      recordServed(rpc, shown.code, startedAt)
      return {
        error: shown,
        status: error instanceof CallerRefused ? status.UNAUTHENTICATED : status[ERRORS[shown.code].grpc],
      }
    }
  }

  return (incoming) => inServerSpan(rpc, () => answered(incoming), codeOf)
}

const codeOf = (answer: Answer) => ('error' in answer ? answer.error.code : 'ok')

/** The signal is made on first use: most handlers never look at it. */
function callContext(incoming: Incoming, caller: Caller, deadline: Date): Call {
  let controller: AbortController | undefined
  return {
    caller,
    deadline,
    get signal() {
      if (!controller) {
        const created = new AbortController()
        if (incoming.isCancelled()) created.abort()
        else incoming.onCancelled(() => created.abort())
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
