import { status as codes, type Server, type ServerWritableStream } from '@grpc/grpc-js'
import {
  type HealthCheckRequest,
  type HealthCheckResponse,
  type HealthServer,
  HealthService,
  HealthCheckResponse_ServingStatus as Status,
} from '@svc/contracts/health'

type Watcher = ServerWritableStream<HealthCheckRequest, HealthCheckResponse>

/** By which name the server as a whole goes. It has no parts whose health differs. */
const WHOLE = ''

/**
 * The service that probes and tools ask of any gRPC server, without credentials. It does not serve until it is told that it
 * does; told that it does not any more, it takes leave of those who watch.
 */
export class Health {
  #status: HealthCheckResponse['status'] = Status.NOT_SERVING
  readonly #watchers = new Set<Watcher>()

  addTo(server: Server): void {
    const handlers: HealthServer = {
      check: ({ request: { service } }, answer) =>
        service === WHOLE
          ? answer(null, { status: this.#status })
          : answer({ code: codes.NOT_FOUND, details: `no service ${service} is known` }),
      watch: (watcher) => this.#watch(watcher),
      list: (_call, answer) => answer(null, { statuses: { [WHOLE]: { status: this.#status } } }),
    }
    server.addService(HealthService, { ...handlers })
  }

  serves(): void {
    this.#tell(Status.SERVING)
  }

  stops(): void {
    this.#tell(Status.NOT_SERVING)
    for (const watcher of this.#watchers) watcher.end()
    this.#watchers.clear()
  }

  #watch(watcher: Watcher): void {
    this.#watchers.add(watcher)
    watcher.once('cancelled', () => this.#watchers.delete(watcher))
    watcher.write({ status: isOfWhole(watcher) ? this.#status : Status.SERVICE_UNKNOWN })
  }

  #tell(status: HealthCheckResponse['status']): void {
    this.#status = status
    for (const watcher of this.#watchers) if (isOfWhole(watcher)) watcher.write({ status })
  }
}

const isOfWhole = ({ request }: Watcher): boolean => request.service === WHOLE
