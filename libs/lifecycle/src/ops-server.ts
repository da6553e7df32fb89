import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createLogger } from '@svc/logging'
import { observeProcess, renderMetrics } from '@svc/telemetry'
import type { Part } from './part.ts'
import type { Service } from './service.ts'

const logger = createLogger('ops')

/**
 * Serves GET /health (alive), /health/serving (200, or 503 while it starts or stops), /health/ready (200 ok or degraded,
 * 503 unavailable) and /metrics on a port of its own.
 */
export function opsServer(options: {
  port: number
  host: string
  service: () => Service
}): Part & { address(): string } {
  const server = createServer((request, response) => {
    answer(request.url ?? '', response, options.service).catch((err: unknown) => {
      logger.error({ err }, 'an operations request failed')
      if (!response.headersSent) response.writeHead(500)
      response.end()
    })
  })

  let endMetrics: (() => void) | undefined
  return {
    name: 'ops',
    async start() {
      await listen(server, options.port, options.host)
      endMetrics = observeProcess()
    },
    async stop() {
      endMetrics?.()
      await close(server)
    },
    address() {
      const { address, port } = server.address() as AddressInfo
      return `${address}:${port}`
    },
  }
}

async function answer(url: string, response: ServerResponse, service: () => Service): Promise<void> {
  switch (url.split('?')[0]) {
    case '/health':
      return sendJson(response, 200, { status: 'ok' })
    case '/health/serving': {
      const serving = service().serving()
      return sendJson(response, serving ? 200 : 503, { status: serving ? 'ok' : 'unavailable' })
    }
    case '/health/ready': {
      const readiness = await service().ready()
      return sendJson(response, readiness.status === 'unavailable' ? 503 : 200, readiness)
    }
    case '/metrics':
      response.writeHead(200, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' })
      response.end(await renderMetrics())
      return
    default:
      return sendJson(response, 404, { error: 'not_found' })
  }
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify(body))
}

async function listen(server: Server, port: number, host: string): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  server.once('error', reject).listen(port, host, resolve)
  await promise
  server.off('error', reject)
}

async function close(server: Server): Promise<void> {
  if (!server.listening) return
  const { promise, resolve } = Promise.withResolvers<void>()
  server.close(() => resolve())
  server.closeAllConnections()
  await promise
}
