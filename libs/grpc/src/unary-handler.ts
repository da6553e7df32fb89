import type { handleUnaryCall, ServerUnaryCall, sendUnaryData } from '@grpc/grpc-js'
import { withRemoteParent } from '@svc/telemetry'
import { CALLER_METADATA } from './caller-signature.ts'
import { errorTrailer } from './error-trailer.ts'
import type { Answer, Incoming } from './served-rpc.ts'
import { certification } from './tls.ts'

type UnaryCall = ServerUnaryCall<Buffer, unknown>

/** The grpc-js handler of a call that has a stream of its own; errors leave in trailers. */
export function unaryHandler(serve: (incoming: Incoming) => Promise<Answer>): handleUnaryCall<Buffer, unknown> {
  const answer = async (call: UnaryCall, callback: sendUnaryData<unknown>): Promise<void> => {
    const answered = await serve(incomingOf(call))
    if ('response' in answered) return callback(null, answered.response)
    const { error, status } = answered
    callback({ code: status, details: error.code, metadata: errorTrailer(error) })
  }
  return (call, callback) =>
    void withRemoteParent(call.metadata.get('traceparent')[0]?.toString(), () => answer(call, callback))
}

const incomingOf = (call: UnaryCall): Incoming => ({
  request: call.request,
  caller: call.metadata.get(CALLER_METADATA)[0],
  isCertified: certification(call),
  deadline: deadlineOf(call),
  isCancelled: () => call.cancelled,
  onCancelled: (listener) => void call.once('cancelled', listener),
})

function deadlineOf(call: UnaryCall): Date | undefined {
  const deadline = call.getDeadline()
  if (deadline === Number.POSITIVE_INFINITY) return undefined
  return deadline instanceof Date ? deadline : new Date(deadline)
}
