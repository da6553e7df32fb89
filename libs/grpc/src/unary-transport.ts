import { type Client as Channel, Metadata } from '@grpc/grpc-js'
import { CALLER_METADATA } from './caller-signature.ts'
import { errorOfRpc } from './client-error.ts'
import { rpcOf, type Transport } from './transport.ts'

const asItIs = (request: Buffer) => request

/** Each call is an HTTP/2 stream of its own, as gRPC means it. */
export function unaryTransport(channel: Channel): Transport {
  return {
    send({ method, request, caller, traceparent, deadlineMs }, settle) {
      const metadata = new Metadata()
      metadata.set(CALLER_METADATA, caller)
      if (traceparent) metadata.set('traceparent', traceparent)
      const call = channel.makeUnaryRequest(
        method.path,
        asItIs,
        method.responseDeserialize,
        request,
        metadata,
        { deadline: deadlineMs },
        (failure, response) => (failure ? settle(errorOfRpc(failure, rpcOf(method))) : settle(null, response)),
      )
      return () => call.cancel()
    },
    close: () => channel.close(),
  }
}
