import { BalancedTransport } from './balanced-transport.ts'
import type { Caller } from './caller.ts'
import { callerSigner, type Sign } from './caller-signature.ts'
import type { Call, Promised, ServiceDefinition, UnaryMethod } from './definition.ts'
import { Endpoints, type Lookup } from './endpoints.ts'
import { logOfLibrary } from './library-log.ts'
import { Replica } from './replica.ts'
import { recordCalled } from './rpc-metrics.ts'
import { clientSpan } from './rpc-span.ts'
import { clientCredentials, type Tls, tlsFromEnv } from './tls.ts'
import { rpcOf, type Transport } from './transport.ts'
import { UnreachableError } from './unreachable-error.ts'

const DEFAULT_DEADLINE_MS = 5_000

export interface AsOptions {
  deadlineMs?: number
  /** The call being answered: what it has left caps the deadline, and its end cancels the nested call. */
  within?: Pick<Call, 'deadline' | 'signal'>
}

export interface Client<Definition> {
  /** The rpcs of the service, called as `caller`. Methods need their object: do not take them off it. */
  as(caller: Caller, options?: AsOptions): Promised<Definition>
  close(): void
}

export interface GrpcClientOptions {
  /** `host:port`, or several by commas; each may be a name of several replicas. */
  address: string
  /** The name of this process and of the service it calls; `secret` is theirs. */
  from: string
  to: string
  secret: string
  /** Of the gateway: its secrets with the services to which the one that is called may pass calls on. */
  passSecrets?: Readonly<Record<string, string>> | undefined
  /** By the environment unless given. */
  tls?: Tls
  /** Whether each call has a stream of its own or shares one with others; shared unless given. */
  transport?: 'unary' | 'shared'
  /** By the resolver of the system, every 15 s, unless given. */
  lookup?: Lookup | undefined
  lookupEveryMs?: number | undefined
}

interface Connection {
  transport: Transport
  to: string
  sign: Sign
}

/**
 * A client with one long-lived connection to each replica, which serve its calls in turn. It repeats no call that may
 * have reached one; every failure arrives as a ServiceError.
 */
export function grpcClient<Definition extends ServiceDefinition>(
  definition: Definition,
  options: GrpcClientOptions,
): Client<Definition> {
  logOfLibrary()
  const credentials = clientCredentials(options.tls ?? tlsFromEnv())
  const way = options.transport ?? 'shared'
  const connection: Connection = {
    transport: new BalancedTransport({
      endpoints: new Endpoints(options.address, options.lookup),
      connect: (endpoint) => new Replica(endpoint, credentials, way),
      findEveryMs: options.lookupEveryMs,
    }),
    to: options.to,
    sign: callerSigner(options),
  }
  const Bound = boundClass(definition, connection)
  return {
    as: (caller, asOptions = {}) => new Bound(caller, asOptions) as unknown as Promised<Definition>,
    close: () => connection.transport.close(),
  }
}

/** A class with one method per rpc, so that as() allocates one small object and no closures. */
function boundClass(definition: ServiceDefinition, connection: Connection) {
  class Bound {
    readonly caller: Caller
    readonly options: AsOptions
    constructor(caller: Caller, options: AsOptions) {
      this.caller = caller
      this.options = options
    }
  }
  for (const [name, method] of Object.entries(definition)) {
    const invoke = rpcInvoker(connection, method)
    Object.defineProperty(Bound.prototype, name, {
      value(this: Bound, request: unknown) {
        return invoke(request, this.caller, this.options)
      },
    })
  }
  return Bound
}

function rpcInvoker({ transport, to, sign }: Connection, method: UnaryMethod<unknown, unknown>) {
  const rpc = rpcOf(method)
  return (
    request: unknown,
    caller: Caller,
    { deadlineMs = DEFAULT_DEADLINE_MS, within }: AsOptions,
  ): Promise<unknown> =>
    new Promise((resolve, reject) => {
      const startedAt = performance.now()
      const deadline = deadlineAt(deadlineMs, within)
      if (within?.signal.aborted || deadline <= Date.now()) return reject(new UnreachableError('no'))

      const bytes = method.requestSerialize(request)
      const signed = sign(caller, { rpc, request: bytes })
      const span = clientSpan(rpc, to)
      const cancel = transport.send(
        { method, request: bytes, caller: signed, traceparent: span.traceparent, deadlineMs: deadline },
        (error, response) => {
          within?.signal.removeEventListener('abort', cancel)
          const code = error ? error.code : 'ok'
          span.end(code)
          recordCalled(rpc, to, code, startedAt)
          if (error) reject(error)
          else resolve(response)
        },
      )
      within?.signal.addEventListener('abort', cancel)
    })
}

function deadlineAt(deadlineMs: number, within: AsOptions['within']): number {
  const own = Date.now() + deadlineMs
  return within ? Math.min(own, within.deadline.getTime()) : own
}
