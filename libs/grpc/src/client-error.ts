import { type ServiceError as RpcError, status } from '@grpc/grpc-js'
import { ServiceError } from '@svc/errors'
import { createLogger } from '@svc/logging'
import { errorOfTrailer } from './error-trailer.ts'
import { UnreachableError } from './unreachable-error.ts'

/**
 * What grpc-js says when it gave a call up before anything of it was sent, and of streams that a server which stops has
 * refused: by HTTP/2 nothing of these was worked on.
 */
const NEVER_SENT =
  /^(No connection established|Name resolution failed|Channel closed before call started|Stream refused)/
const UNREACHABLE = new Set([status.UNAVAILABLE, status.DEADLINE_EXCEEDED, status.CANCELLED])

const logger = createLogger('grpc')

/** The ServiceError that a failed rpc means to the one who called it. */
export function errorOfRpc(failure: RpcError, rpc: string): ServiceError {
  const told = errorOfTrailer(failure.metadata)
  if (told) return told
  if (UNREACHABLE.has(failure.code))
    return new UnreachableError(NEVER_SENT.test(failure.details) ? 'no' : 'unknown', failure)
  logger.error(
    { rpc, status: status[failure.code], reason: failure.details },
    'an rpc was answered without an error of ours',
  )
  return new ServiceError('internal_error', { cause: failure })
}
