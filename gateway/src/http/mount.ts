import type { ServerResponse } from 'node:http'
import type { Credential } from '@svc/credentials'
import { ServiceError } from '@svc/errors'
import { stringify } from '@svc/exact-json'
import { validate } from '@svc/inputs'
import { inTrace } from '@svc/telemetry'
import type { Request, Response, Router } from 'express'
import * as z from 'zod'
import type { Config } from '../config.ts'
import { type Clients, servicesFor } from '../services.ts'
import type { AccessLog, Answered } from './access-log.ts'
import { recordAct } from './acting.ts'
import { answerSigned } from './answer-signed.ts'
import { type Authenticate, assertVerifiable } from './authenticate.ts'
import type { ClientAddress } from './client-address.ts'
import { codesOf } from './codes-of.ts'
import { type DeprecationHeaders, deprecationHeaders } from './deprecation.ts'
import { sendError } from './errors.ts'
import { openExchange, send } from './exchange.ts'
import { readIdempotency } from './idempotency.ts'
import { callerLimits, type Limit } from './limits.ts'
import { sendLines } from './lines.ts'
import { environmentOf, refuseGrantee, requireHeld } from './permit.ts'
import type { Identity } from './principal.ts'
import { publicBody } from './public-body.ts'
import type { RateLimiter, Usage } from './rate-limit.ts'
import { readBody } from './read-body.ts'
import { readParams } from './read-params.ts'
import { readQuery } from './read-query.ts'
import { NO_FILE, readUpload } from './read-upload.ts'
import { refuseMethod } from './refuse.ts'
import { endsAtMs, type Reply, type Route } from './route.ts'
import { tooMany } from './too-many.ts'
import type { Turns } from './turns.ts'
import type { UnderWay } from './under-way.ts'

export interface Edge {
  config: Config
  clients: Clients
  authenticate: Authenticate
  limiter: RateLimiter
  addressOf: ClientAddress
  /** In which posts of networks whose signatures were refused too often wait. */
  suspects: Turns
  /** Signatures that are judged, by the networks whose refusals they may yet be. */
  judgements: UnderWay
  accessLog: AccessLog
}

/** Serves the routes of a table; any other method on their paths is 405, and both come before credentials. */
export function mount(router: Router, routes: readonly Route[], edge: Edge): void {
  // They are looked through in this order: hooks are few routes, and come in bursts.
  const hooksFirst = routes.toSorted((a, b) => Number(isSigned(b)) - Number(isSigned(a)))
  for (const [path, onPath] of Map.groupBy(hooksFirst, (route) => route.path)) {
    const expressRoute = router.route(path.replaceAll(/\{(\w+)\}/g, ':$1'))
    for (const route of onPath) {
      assertVerifiable(route.auth, route.operationId)
      const method = route.method.toLowerCase() as 'get' | 'post' | 'put' | 'patch' | 'delete'
      expressRoute[method](serve(prepare(route), edge))
    }
    const methods = onPath.map((route) => route.method)
    expressRoute.all(refuseMethod(methods, path, edge.accessLog))
  }
}

const isSigned = ({ auth }: Route): boolean => auth.kind === 'signed'

export interface PreparedRoute {
  route: Route
  params: z.ZodType<Record<string, unknown>>
  query: z.ZodObject
  headers: z.ZodType<Record<string, unknown>>
  /** Undefined for a route that stays. */
  deprecation: DeprecationHeaders | undefined
}

// Schemas are built once, not per request.
const prepare = (route: Route): PreparedRoute => ({
  route,
  params: z.object(route.params ?? {}),
  query: z.object(route.query ?? {}),
  headers: z.object(route.headers ?? {}),
  deprecation: route.deprecated && deprecationHeaders(route.deprecated),
})

function serve(prepared: PreparedRoute, edge: Edge) {
  const { path } = prepared.route
  const answer = isSigned(prepared.route) ? answerSigned : answerRequest
  const respond = async (request: Request, response: Response, requestId: string): Promise<void> => {
    const answered: Answered = { request, response, requestId, route: path, code: 'ok', startedAt: performance.now() }
    const page = pageFor(prepared.route, request, response)
    try {
      const endsAt = endsAtMs(prepared.route)
      await sendReply(response, await answer(prepared, edge, answered), { route: prepared.route, page, endsAt })
    } catch (error) {
      const known = edge.config.checkErrors ? declared(prepared.route, error) : error
      const shape = page && { contentType: PAGE_TYPE, textOf: page.refused }
      answered.code = sendError(response, known, { requestId, log: edge.accessLog, shape })
    }
    edge.accessLog.tell(answered)
  }
  return (request: Request, response: Response): Promise<void> => {
    const requestId = openExchange(request, response)
    if (prepared.deprecation) for (const [name, value] of prepared.deprecation) response.setHeader(name, value)
    return inTrace(response.getHeader('traceparent') as string, () => respond(request, response, requestId))
  }
}

async function answerRequest({ route, ...schemas }: PreparedRoute, edge: Edge, answered: Answered): Promise<Reply> {
  const { request, response, requestId } = answered
  const deadline = endsAtMs(route)
  refuseDuplicates(request.rawHeaders)
  const params = readParams(schemas.params, request.params)
  const address = edge.addressOf(request)
  const attempt = { auth: route.auth, headers: request.headers, address, params: params as Record<string, string> }
  const principal = await edge.authenticate(attempt)
  const usage = await admit(edge, response, principal.limits, principal.credentials)
  const identity = await principal.confirm(usage.epochs)
  answered.identity = identity
  refuseGrantee(route, identity)
  requireHeld(route, identity, edge.config)
  const isTest = environmentOf(route, identity, request)
  const upload = route.upload && (await readUpload(request, route.upload))
  const sent = upload?.fields ?? (route.method === 'GET' ? undefined : await readBody(request, route))
  const query = validate(schemas.query, readQuery(request, response, schemas.query.shape))
  const headers = validate(schemas.headers, request.headers)
  const body = route.body ? validate(route.body, sent) : undefined
  const further = [...(principal.limitsOf?.(body) ?? []), ...limitsPerCaller(route, identity, edge.config)]
  if (further.length > 0) await admit(edge, response, further, [])
  const idempotency = route.idempotent
    ? readIdempotency(request.get('idempotency-key'), operationOf(route, identity), sent)
    : undefined
  if (identity.delegation && route.method !== 'GET') {
    const act = { operation: route.operationId, path: pathOf(request.url), requestId, address, isTest }
    await recordAct(edge.clients.workspaceGrant, identity, act)
  }
  const caller = { ...identity, isTest, requestId, ip: address }
  const services = servicesFor(edge.clients, caller, deadline)
  return route.handle(
    {
      params,
      query,
      headers,
      body,
      caller,
      idempotency,
      raw: undefined,
      file: upload?.file ?? NO_FILE,
      config: edge.config,
    },
    services,
  )
}

const limitsPerCaller = ({ auth }: Route, identity: Identity, config: Config): readonly Limit[] =>
  auth.kind === 'merchant' && auth.callerLimit ? callerLimits(auth.callerLimit, config, identity) : []

/** What an Idempotency-Key is for: a key of the grantor's own replays nothing to who acts for it, and the other way round. */
const operationOf = ({ method, path }: Route, { delegation }: Identity): string =>
  delegation ? `${method} ${path} by ${delegation.granteeMerchantId}` : `${method} ${path}`

/** As much of the path as is worth keeping; ids are shorter. */
const pathOf = (url: string): string => (url.split('?', 1)[0] ?? '').slice(0, 1024)

/** Counts the request and tells its sender what is left, or throws 429. */
async function admit(
  { limiter }: Edge,
  response: ServerResponse,
  limits: readonly Limit[],
  credentials: readonly Credential[],
): Promise<Usage> {
  const usage = await limiter.count(limits, credentials)
  setRateHeaders(response, usage)
  if (!usage.admitted) throw tooMany(usage)
  return usage
}

const SINGLE = new Set(['authorization', 'x-api-key', 'idempotency-key', 'x-service-act-as-merchant'])

/** Two credentials, or two keys: two readers could understand such a request differently. */
function refuseDuplicates(rawHeaders: readonly string[]): void {
  let seen = ''
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = (rawHeaders[i] as string).toLowerCase()
    if (!SINGLE.has(name)) continue
    if (seen.includes(`${name}\n`)) {
      const message = `The header ${name} must not be repeated.`
      throw new ServiceError('validation_error', { message, details: { field: name, rule: 'duplicate_header' } })
    }
    seen += `${name}\n`
  }
}

function setRateHeaders(response: ServerResponse, { admitted, limit, remaining, resetSeconds }: Usage): void {
  if (!limit) return
  // The last second of a window is counted whole; only who waits for it needs to know.
  const seconds = admitted ? Math.min(resetSeconds, limit.windowSeconds) : resetSeconds
  response.setHeader('RateLimit-Policy', `"${limit.name}";q=${limit.limit};w=${limit.windowSeconds}`)
  response.setHeader('RateLimit', `"${limit.name}";r=${remaining};t=${seconds}`)
}

const PAGE_TYPE = 'text/html; charset=utf-8'

/** The page of the route where the client prefers one to JSON, with the policy that it needs. */
function pageFor({ page }: Route, request: Request, response: Response): Route['page'] {
  if (!page) return undefined
  response.setHeader('Vary', 'Accept')
  if (request.accepts(['json', 'html']) !== 'html') return undefined
  response.setHeader('Content-Security-Policy', page.policy)
  return page
}

interface Sending {
  route: Route
  page: Route['page']
  endsAt: number
}

async function sendReply(
  response: ServerResponse,
  { status, body, headers }: Reply,
  { route, page, endsAt }: Sending,
): Promise<void> {
  const shown = publicBody(route, status, body)
  const text = route.media === undefined && !page ? stringify(shown) : undefined
  for (const name in headers) response.setHeader(name, headers[name] as string)
  if (page) send(response, status, PAGE_TYPE, page.shown(shown))
  else if (text === undefined) await sendLines(response, status, shown, endsAt)
  else send(response, status, 'application/json', text)
}

/** The error, or another one where the route does not declare that it may answer with it. */
function declared(route: Route, error: unknown): unknown {
  if (!(error instanceof ServiceError) || codesOf(route).includes(error.code)) return error
  return new Error(`${route.operationId} answered ${error.code}, which it does not declare`)
}
