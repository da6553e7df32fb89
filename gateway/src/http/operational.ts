import { validate } from '@svc/inputs'
import type { Readiness } from '@svc/lifecycle'
import type { Request, Response, Router } from 'express'
import type { AccessLog } from './access-log.ts'
import { AUDIENCES } from './audiences.ts'
import { sendError } from './errors.ts'
import { openExchange, send } from './exchange.ts'
import type { KeySet } from './key-set.ts'
import { partFor } from './openapi-audience.ts'
import { openApiQuery } from './openapi-operational.ts'
import { textOf } from './openapi-text.ts'
import { readQuery } from './read-query.ts'
import { refuseMethod } from './refuse.ts'
import { staticText } from './static-text.ts'

interface Operational {
  accessLog: AccessLog
  ready(): Promise<Readiness>
  keys: KeySet
  /** The API description as JSON text. */
  openapi: string
  /** The description of the sockets as JSON text. */
  asyncapi: string
}

/** Health, public keys and the descriptions of the API and its sockets: no credential, no limit. */
export function mountOperational(router: Router, operational: Operational): void {
  const { keys, openapi, asyncapi, accessLog } = operational

  onGet(router, accessLog, '/health', async (_request, response) => {
    send(response, 200, 'application/json', '{"status":"ok"}')
  })
  onGet(router, accessLog, '/health/ready', async (_request, response) => {
    const readiness = await operational.ready()
    const status = readiness.status === 'unavailable' ? 503 : 200
    send(response, status, 'application/json', JSON.stringify(nested(readiness)))
  })
  onGet(router, accessLog, '/.well-known/jwks.json', async (_request, response) => {
    const text = await keys.text()
    response.setHeader('Cache-Control', 'public, max-age=300')
    send(response, 200, 'application/json', text)
  })
  onGet(router, accessLog, '/openapi.json', openApiOf(openapi))
  onGet(
    router,
    accessLog,
    '/asyncapi.json',
    description(() => asyncapi),
  )
}

const description = (text: () => string) =>
  staticText({ contentType: 'application/json', cacheControl: 'no-cache', load: () => Buffer.from(text()) })

/** The API description, or what of it is for one audience. */
function openApiOf(whole: string) {
  const parts = Object.fromEntries(
    AUDIENCES.map((audience) => [audience, description(() => textOf(partFor(audience, JSON.parse(whole) as object)))]),
  )
  const all = description(() => whole)
  return async (request: Request, response: Response): Promise<void> => {
    const { audience } = validate(openApiQuery, readQuery(request, response, openApiQuery.shape))
    const answer = audience ? parts[audience] : all
    await answer?.(request, response)
  }
}

/** One GET outside the route table; every other method is 405. */
export function onGet(
  router: Router,
  accessLog: AccessLog,
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
        sendError(response, error, { requestId, log: accessLog })
      }
    })
    .all(refuseMethod(['GET'], path, accessLog))
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
