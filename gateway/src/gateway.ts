import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { ServiceError } from '@svc/errors'
import { composeService, opsServer, type Part, type Readiness, type Service } from '@svc/lifecycle'
import express, { type Express, type NextFunction, type Request, type Response } from 'express'
import type { Config } from './config.ts'
import { type Context, createContext } from './context.ts'
import { asyncApiDescription, openApiDescription } from './http/description.ts'
import { mountDocs } from './http/docs.ts'
import { mount } from './http/mount.ts'
import { noSuchPath } from './http/no-such-path.ts'
import { mountOperational } from './http/operational.ts'
import { refuse } from './http/refuse.ts'
import { mountScim } from './http/scim.ts'
import { upstreamReadiness } from './http/upstream-readiness.ts'
import { createSockets, type Sockets } from './realtime/sockets.ts'
import { routes } from './routes/index.ts'
import type { Upstreams } from './services.ts'

const SWEEP_INTERVAL_MS = 50
/** In metrics and the log, for paths that name nothing. */
const UNKNOWN_ROUTE = 'unknown'

export interface Gateway extends Service {
  /** host:port of the public API. */
  address(): string
}

/** The edge of the mesh: it owns no data, and everything public derives from its table of routes. */
export function createGateway(config: Config, upstreams: Upstreams): Gateway {
  const context = createContext(config, upstreams)
  const readiness = upstreamReadiness(upstreams)
  const sockets = config.realtimeEnabled ? createSockets(context) : undefined
  const app = createApp(context, () => service.ready())
  const api = httpServer(app, config, { sockets, serving: () => service.serving() })
  const service = composeService(
    [
      { name: 'redis', start: () => context.limiter.start() },
      {
        name: 'clients',
        async stop() {
          context.close()
          readiness.close()
        },
      },
      opsServer({ host: config.host, port: config.opsPort, service: () => service }),
      ...(sockets ? [sockets] : []),
      api,
    ],
    { checks: { redis: { required: false, probe: () => context.limiter.ping() }, ...readiness.checks } },
  )
  return { ...service, address: () => api.address() }
}

/** All that is served, of the table of routes and beside it. */
export function createApp(context: Context, ready: () => Promise<Readiness>): Express {
  const app = express()
  app.disable('x-powered-by')
  app.disable('etag')
  app.enable('case sensitive routing')
  app.set('query parser', false)
  const { accessLog, keys } = context
  const { publicBaseUrl } = context.config
  const [openapi, asyncapi] = [openApiDescription(publicBaseUrl), asyncApiDescription(publicBaseUrl)]
  mountOperational(app, { ready, keys, accessLog, openapi, asyncapi })
  mountScim(app, context)
  mount(app, routes, context)
  // Routes are looked through in this order, and readers of pages are few.
  mountDocs(app, accessLog)
  const unknown = noSuchPath(routes.map(({ path }) => path))
  app.use((request: Request, response: Response) => {
    refuse(request, response, unknown(request.method, request.path), UNKNOWN_ROUTE, accessLog)
  })
  app.use((error: unknown, request: Request, response: Response, _next: NextFunction) => {
    // Only a path that cannot be decoded gets here: it names nothing.
    const known = error instanceof URIError ? new ServiceError('not_found') : error
    refuse(request, response, known, UNKNOWN_ROUTE, accessLog)
  })
  return app
}

interface Served {
  sockets: Sockets | undefined
  serving: () => boolean
}

function httpServer(app: Express, { host, port }: Config, { sockets, serving }: Served): Part & { address(): string } {
  let server: Server | undefined
  return {
    name: 'http',
    async start() {
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      server = createServer(app)
      sockets?.attach(server, serving)
      // Before sockets answer what is theirs: a client that keeps connections finds another gateway before this one closes
      // them, and no request meets a connection that closes.
      server.prependListener('request', (_request, response: ServerResponse) => {
        if (!serving()) response.setHeader('connection', 'close')
      })
      server.requestTimeout = 30_000
      server.headersTimeout = 10_000
      // Longer than the idle time of common load balancers, so that these close first.
      server.keepAliveTimeout = 65_000
      server.once('error', reject).listen(port, host, resolve)
      await promise
    },
    // Running requests are answered; connections are closed as soon as they idle, for clients would keep them.
    async stop() {
      const { promise, resolve } = Promise.withResolvers<void>()
      server?.close(() => resolve())
      await sockets?.close()
      const sweep = setInterval(() => server?.closeIdleConnections(), SWEEP_INTERVAL_MS)
      await promise
      clearInterval(sweep)
    },
    address() {
      if (!server?.listening) throw new Error('The gateway does not listen')
      const { address, port: bound } = server.address() as AddressInfo
      return `${address}:${bound}`
    },
  }
}
