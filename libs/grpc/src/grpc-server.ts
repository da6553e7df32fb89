import { Server, type ServerCredentials } from '@grpc/grpc-js'
import { SharedStreamServiceService } from '@svc/contracts/common/v1/shared_stream_service'
import type { Part } from '@svc/lifecycle'
import type { CallerSecrets } from './caller-secrets.ts'
import { callerVerifier, type Verify } from './caller-signature.ts'
import type { Handlers, ServiceDefinition, UnaryMethod } from './definition.ts'
import { Health } from './health.ts'
import { logOfLibrary } from './library-log.ts'
import { MAX_REQUEST_BYTES, MAX_RESPONSE_BYTES } from './limits.ts'
import { addReflection } from './reflection.ts'
import { servedRpc } from './served-rpc.ts'
import { type SharedRpc, SharedStreams } from './shared-streams.ts'
import { serverCredentials, type Tls, tlsFromEnv } from './tls.ts'
import { unaryHandler } from './unary-handler.ts'

const DRAIN_LIMIT_MS = 10_000

export interface GrpcServerOptions<Definitions extends readonly ServiceDefinition[]> {
  host: string
  port: number
  /** The name of this service, for which callers must have been signed. */
  audience: string
  secrets: CallerSecrets
  services: { readonly [I in keyof Definitions]: readonly [Definitions[I], Handlers<Definitions[I]>] }
  reflection?: boolean
  /** How long running calls may take to finish when the server stops; 10 s unless given. */
  drainLimitMs?: number
  /** By the environment unless given. */
  tls?: Tls
}

/**
 * A server of unary rpcs with a health service. It refuses calls without a deadline or without a caller signed for this
 * service, rpc and request, and lets running calls finish when it stops.
 */
export function grpcServer<Definitions extends readonly ServiceDefinition[]>(
  options: GrpcServerOptions<Definitions>,
): Part & { address(): string } {
  logOfLibrary()
  const credentials = serverCredentials(options.tls ?? tlsFromEnv())
  const server = new Server({
    'grpc.max_receive_message_length': MAX_REQUEST_BYTES,
    'grpc.max_send_message_length': MAX_RESPONSE_BYTES,
    'grpc.keepalive_time_ms': 30_000,
    'grpc.keepalive_timeout_ms': 10_000,
    // Bookkeeping of every call for a debugging service that no process serves.
    'grpc.enable_channelz': 0,
  })
  const health = new Health()
  health.addTo(server)
  const verify = callerVerifier(options.audience, options.secrets)
  const rpcs = new Map<string, SharedRpc>()
  for (const [definition, handlers] of options.services) {
    const served = servedRpcs(definition, handlers, verify)
    for (const rpc of served.values()) rpcs.set(rpc.method.path, rpc)
    server.addService(
      mapped(definition, (method) => ({ ...method, requestDeserialize: asItIs })),
      Object.fromEntries(served.entries().map(([name, rpc]) => [name, unaryHandler(rpc.serve)])),
    )
  }
  const streams = new SharedStreams(rpcs)
  server.addService(SharedStreamServiceService, { shareStream: streams.handle })
  if (options.reflection)
    addReflection(
      server,
      options.services.map(([definition]) => definition),
    )
  let boundPort: number | undefined

  return {
    name: 'grpc',
    async start() {
      boundPort = await bind(server, `${options.host}:${options.port}`, credentials)
      health.serves()
    },
    async stop() {
      health.stops()
      if (boundPort === undefined) return
      streams.close()
      await drain(server, `${options.host}:${boundPort}`, options.drainLimitMs ?? DRAIN_LIMIT_MS)
    },
    address() {
      if (boundPort === undefined) throw new Error('The gRPC server has not started')
      return `${options.host}:${boundPort}`
    },
  }
}

function servedRpcs(
  definition: ServiceDefinition,
  handlers: Handlers<ServiceDefinition>,
  verify: Verify,
): Map<string, SharedRpc> {
  const entries = Object.entries(definition).map(([name, method]): [string, SharedRpc] => {
    const handler = handlers[name]
    if (!handler) throw new Error(`${method.path} has no handler`)
    return [name, { method, serve: servedRpc(method, handler.bind(handlers), verify) }]
  })
  return new Map(entries)
}

/** Requests reach their rpc as they were sent: the caller was signed for these bytes. */
const asItIs = (bytes: Buffer) => bytes

const mapped = <To>(definition: ServiceDefinition, to: (method: UnaryMethod<unknown, unknown>) => To) =>
  Object.fromEntries(Object.entries(definition).map(([name, method]) => [name, to(method)]))

async function bind(server: Server, address: string, credentials: ServerCredentials): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  server.bindAsync(address, credentials, (error, port) => (error ? reject(error) : resolve(port)))
  return promise
}

/** Of a server without channelz forceShutdown() does not know the connections; drain() does, when it comes first. */
async function drain(server: Server, address: string, limitMs: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  server.drain(address, limitMs)
  server.tryShutdown(() => resolve())
  await promise
}
