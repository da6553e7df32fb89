import { createHash } from 'node:crypto'
import type { Readiness } from '@svc/lifecycle'
import type { Request, Response, Router } from 'express'
import { sendError } from './errors.ts'
import { openExchange, send } from './exchange.ts'
import type { KeySet } from './key-set.ts'
import { refuseMethod } from './mount.ts'

interface Operational {
  ready(): Promise<Readiness>
  keys: KeySet
  /** The API description as JSON text. */
  openapi: string
}

/** Health, public keys and the API description: no credential, no limit. */
export function mountOperational(router: Router, operational: Operational): void {
  const { keys, openapi } = operational
  const etag = `"${createHash('sha256').update(openapi).digest('base64url')}"`

  onGet(router, '/health', async (_request, response) => {
    send(response, 200, 'application/json', '{"status":"ok"}')
  })
  onGet(router, '/health/ready', async (_request, response) => {
    const readiness = await operational.ready()
    const status = readiness.status === 'unavailable' ? 503 : 200
    send(response, status, 'application/json', JSON.stringify(nested(readiness)))
  })
  onGet(router, '/.well-known/jwks.json', async (_request, response) => {
    const text = await keys.text()
    response.setHeader('Cache-Control', 'public, max-age=300')
    send(response, 200, 'application/json', text)
  })
  onGet(router, '/openapi.json', async (request, response) => {
    response.setHeader('ETag', etag)
    response.setHeader('Cache-Control', 'no-cache')
    if (matches(request.headers['if-none-match'], etag)) response.writeHead(304).end()
    else send(response, 200, 'application/json', openapi)
  })
}

/** One GET outside the route table; every other method is 405. */
export function onGet(
  router: Router,
  path: string,
  answer: (request: Request, response: Response) => Promise<void>,
): void {
  router
    .route(path)
    .get(async (request, response) => {
      const requestId = openExchange(request, response)
      try {
        await answer(request, response)
      } catch (error) {
        sendError(response, error, requestId)
      }
    })
    .all(refuseMethod(['GET']))
}

// `services.order: ok` becomes `services: { order: ok }`.
function nested({ status, checks }: Readiness): object {
  const tree: Record<string, unknown> = {}
  const services: Record<string, string> = {}
  for (const [name, state] of Object.entries(checks)) {
    if (name.startsWith('services.')) services[name.slice('services.'.length)] = state
    else tree[name] = state
  }
  return { status, checks: Object.keys(services).length > 0 ? { ...tree, services } : tree }
}

const matches = (header: string | undefined, etag: string) =>
  header !== undefined && header.split(',').some((one) => one.trim().replace(/^W\//, '') === etag || one.trim() === '*')
