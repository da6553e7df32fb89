import { Server, ServerCredentials, type UntypedHandleCall } from '@grpc/grpc-js'
import type { Part } from '@svc/lifecycle'
import { HealthImplementation } from 'grpc-health-check'
import type { CallerSecrets } from './caller-secrets.ts'
import { callerVerifier } from './caller-signature.ts'
import type { Handlers, ServiceDefinition } from './definition.ts'
import { logOfLibrary } from './library-log.ts'
import { MAX_REQUEST_BYTES, MAX_RESPONSE_BYTES } from './limits.ts'
import { addReflection } from './reflection.ts'
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
  credentials?: ServerCredentials
}

/**
 * A server of unary rpcs with a health service. It refuses calls without a deadline or without a caller signed for this
 * service and rpc, and lets running calls finish when it stops.
 */
export function grpcServer<Definitions extends readonly ServiceDefinition[]>(
  options: GrpcServerOptions<Definitions>,
): Part & { address(): string } {
  logOfLibrary()
  const server = new Server({
    'grpc.max_receive_message_length': MAX_REQUEST_BYTES,
    'grpc.max_send_message_length': MAX_RESPONSE_BYTES,
    'grpc.keepalive_time_ms': 30_000,
    'grpc.keepalive_timeout_ms': 10_000,
    // Bookkeeping of every call for a debugging service that nobody serves.
    'grpc.enable_channelz': 0,
  })
  const health = new HealthImplementation({ '': 'NOT_SERVING' })
  health.addToServer(server)
  const verify = callerVerifier(options.audience, options.secrets)
  for (const [definition, handlers] of options.services) addService(server, definition, handlers, verify)
  if (options.reflection)
    addReflection(
      server,
      options.services.map(([definition]) => definition),
    )
  let boundPort: number | undefined

  return {
    name: 'grpc',
    async start() {
      boundPort = await bind(server, `${options.host}:${options.port}`, options.credentials)
      health.setStatus('', 'SERVING')
    },
    async stop() {
      health.setStatus('', 'NOT_SERVING')
      await drain(server)
    },
    address() {
      if (boundPort === undefined) throw new Error('The gRPC server has not started')
      return `${options.host}:${boundPort}`
    },
  }
}

function addService(
  server: Server,
  definition: ServiceDefinition,
  handlers: Handlers<ServiceDefinition>,
  verify: ReturnType<typeof callerVerifier>,
): void {
  const implementation: Record<string, UntypedHandleCall> = {}
  for (const [name, method] of Object.entries(definition)) {
    const handler = handlers[name]
    if (!handler) throw new Error(`${method.path} has no handler`)
    implementation[name] = unaryHandler(method, handler.bind(handlers), verify)
  }
  server.addService(definition, implementation)
}

async function bind(
  server: Server,
  address: string,
  credentials = ServerCredentials.createInsecure(),
): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  server.bindAsync(address, credentials, (error, port) => (error ? reject(error) : resolve(port)))
  return promise
}

async function drain(server: Server): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const limit = setTimeout(() => server.forceShutdown(), DRAIN_LIMIT_MS)
  server.tryShutdown(() => resolve())
  await promise
  clearTimeout(limit)
}
