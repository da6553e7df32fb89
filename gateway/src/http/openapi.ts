import { ERRORS, type ErrorCode, ServiceError } from '@svc/errors'
import { uuid } from '@svc/inputs'
import * as z from 'zod'
import {
  createDocument,
  type ZodOpenApiOperationObject,
  type ZodOpenApiPathsObject,
  type ZodOpenApiResponsesObject,
} from 'zod-openapi'
import { AUDIENCES, tagsFor } from './audiences.ts'
import { codesOf } from './codes-of.ts'
import { deprecationNote } from './deprecation.ts'
import { DETAILS_SHOWN, errorDetails, TOP_LEVEL } from './error-details.ts'
import { errorBody } from './errors.ts'
import { describeNames, type Meanings } from './openapi-descriptions.ts'
import { type Examples, shareExamples } from './openapi-examples.ts'
import { formatNumbers } from './openapi-numbers.ts'
import { operationalPaths } from './openapi-operational.ts'
import { shareParameters } from './openapi-parameters.ts'
import { scimPaths } from './openapi-scim.ts'
import { textOf } from './openapi-text.ts'
import { webhookPaths } from './openapi-webhooks.ts'
import type { Route } from './route.ts'

const ofTopLevel = Object.values(TOP_LEVEL).flatMap((names) => names.map((name) => [name, errorDetails.shape[name]]))

const refusalBody = z
  .object({
    error: z.string().meta({ description: 'The code, by which to decide; the list of codes may grow' }),
    message: z.string().meta({ description: 'For people; may change' }),
    details: errorDetails.optional(),
    request_id: z.string().meta({ description: 'As in the header X-Request-Id; quote it when you ask us' }),
    // Some codes say these here too.
    ...(Object.fromEntries(ofTopLevel) as Partial<typeof errorDetails.shape>),
  })
  .meta({ id: 'Error' })

const DESCRIPTION = `Deliveries as an API: merchants place orders, riders carry them, signed webhooks report every step.

New here? The [quick start](/docs/guides/quick-start) leads from nothing to a signed webhook in ten minutes, and
[orders](/docs/guides/orders) from a price to a settled order. [All guides](/docs/guides), by whom they are for.

**Authentication.** \`Authorization: Bearer svc_test_…\` or \`svc_live_…\`: the key says whether you act on the sandbox or on
what is real ([authentication](/docs/guides/authentication)). Signing up gives a test key.

**Errors.** All bodies are JSON. Errors have one shape: \`error\` (a code), \`message\`, optional \`details\`, \`request_id\`
([errors](/docs/guides/errors)).

**Limits.** Requests are counted per key, per person, and on public routes per client address (an IPv6 address by its /64).
429 names the limit in \`details\` and says in Retry-After how many seconds to wait; a repeat before that is refused too.

**Idempotency.** What takes an \`Idempotency-Key\` answers a repeat with the same key and body by the stored reply, for
24 hours ([idempotency](/docs/guides/idempotency)).

**Paging.** Lists take \`limit\` and \`offset\`, lists of orders a \`cursor\` too: \`next_cursor\` of the page before, null on the
last one, so that what arrives meanwhile shifts nothing. A \`limit\` above the most that a list gives is lowered to it, and the reply says
which was used. Query parameters that an operation does not know are ignored and named in X-Ignored-Query; with
\`Prefer: handling=strict\` they are refused as \`unknown_parameter\`.

**Changes.** Unknown fields in replies and new error codes may appear at any time; clients ignore what they do not know
([versions](/docs/guides/versions), [changelog](/docs/guides/changelog)).`

/** What a description shows beside what the routes say. */
export interface Shown {
  examples: Examples
  meanings: Meanings
  /** What the groups of operations are for, by tag. */
  tags: Readonly<Record<string, string>>
}

/** The public contract as OpenAPI 3.1, derived from the table of routes, with what to send and what is answered to it. */
function openApiDocument(
  routes: readonly Route[],
  { examples, meanings, tags }: Shown,
): ReturnType<typeof createDocument> {
  const bodies = new Set<unknown>(routes.map((route) => route.body))
  const document = createDocument(
    {
      openapi: '3.1.0',
      info: { title: 'Delivery Dispatch API', version: '1', description: DESCRIPTION },
      ...tagsFor(AUDIENCES, tags),
      paths: { ...pathsOf(routes, examples), ...operationalPaths, ...scimPaths },
      webhooks: webhookPaths(examples.webhooks),
      components: {
        securitySchemes: {
          apiKey: { type: 'http', scheme: 'bearer', description: 'An API key, `svc_test_…` or `svc_live_…`' },
          apiKeyHeader: { type: 'apiKey', in: 'header', name: 'X-API-Key', description: 'An API key' },
          merchantToken: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'From login or key' },
          riderToken: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: "A rider's token" },
          adminToken: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: "An operator's token" },
          scimToken: { type: 'http', scheme: 'bearer', description: 'The token of a provisioning service' },
        },
        examples: Object.fromEntries(Object.keys(ERRORS).map((code) => [code, example(code as ErrorCode)])),
      },
    },
    {
      allowEmptySchema: { unknown: true },
      override({ jsonSchema, zodSchema }) {
        // What we send is a whitelist for us alone: clients must expect fields to be added. What we take may be strict.
        const strict = jsonSchema.additionalProperties === false && !bodies.has(zodSchema)
        if (strict) delete jsonSchema.additionalProperties
        // The same in the word that generators of clients know: of a schema that says nothing they make types of no name.
        if (isEmpty(jsonSchema.additionalProperties)) jsonSchema.additionalProperties = true
      },
    },
  )
  describeNames(document, meanings)
  formatNumbers(document)
  shareParameters(document)
  shareExamples(document)
  return document
}

const isEmpty = (schema: unknown): boolean =>
  typeof schema === 'object' && schema !== null && Object.keys(schema).length === 0

/** The document as it is served and committed. */
export function openApiText(routes: readonly Route[], shown: Shown): string {
  return textOf(openApiDocument(routes, shown))
}

function pathsOf(routes: readonly Route[], examples: Examples): ZodOpenApiPathsObject {
  const paths: Record<string, Record<string, ZodOpenApiOperationObject>> = {}
  const refusals: Refusals = new Map()
  for (const route of routes) {
    const path = (paths[route.path] ??= {})
    path[route.method.toLowerCase()] = operationOf(route, refusals, examples)
  }
  return paths
}

function operationOf(route: Route, refusals: Refusals, examples: Examples): ZodOpenApiOperationObject {
  const { operationId, tag, summary } = route
  return {
    operationId,
    tags: [tag],
    summary,
    description: described(route),
    ...(route.deprecated && { deprecated: true }),
    security: securityOf(route),
    requestParams: {
      path: z.object(route.params ?? {}),
      query: z.object(route.query ?? {}),
      header: z.object({ ...route.headers, ...commonHeaders(route) }),
    },
    requestBody: requestBodyOf(route, examples),
    responses: { ...repliesOf(route, examples), ...errorsOf(route, refusals) },
  } as ZodOpenApiOperationObject
}

/** Of any media type: what counts are the bytes that were signed. */
const A_FILE = z.unknown().meta({ override: { type: 'string', format: 'binary' } })
const SIGNED_BYTES = { required: true, content: { '*/*': { schema: z.unknown() } } }

function requestBodyOf({ operationId, input, body, upload }: Route, { requests }: Examples): object | undefined {
  if (input === 'raw') return SIGNED_BYTES
  const example = requests[operationId]
  if (upload)
    return { required: true, content: { 'multipart/form-data': { schema: body.extend({ file: A_FILE }), example } } }
  return body && { required: !body.safeParse({}).success, content: { 'application/json': { schema: body, example } } }
}

function commonHeaders({ auth, method, idempotent, testOnly }: Route): Record<string, z.ZodType> {
  const headers: Record<string, z.ZodType> = {}
  if (idempotent) {
    const description = 'A repeat with the same key and body replays the stored reply for 24 hours'
    headers['Idempotency-Key'] = z.string().min(1).max(255).optional().meta({ description })
  }
  const takesLogin = (auth.kind === 'merchant' && !auth.keyOnly) || auth.kind === 'merchant_or_rider'
  if (takesLogin && method !== 'GET' && !testOnly) {
    const description = 'With a login token: act on test objects, not live ones'
    headers['X-Service-Environment'] = z.enum(['test']).optional().meta({ description })
  }
  if (auth.kind === 'merchant_or_rider' || (auth.kind === 'merchant' && !auth.inPerson)) {
    const description = 'Id of a merchant that has granted this one to act for it; the scopes are those that both have'
    headers['X-Service-Act-As-Merchant'] = uuid.optional().meta({ description })
  }
  return headers
}

const described = (route: Route): string | undefined =>
  [route.deprecated && deprecationNote(route.deprecated), route.description, holding(route)]
    .filter(Boolean)
    .join('\n\n') || undefined

function holding({ auth }: Route): string | undefined {
  if (auth.kind === 'merchant' && auth.scopes.length > 0) return `Scope: ${auth.scopes.join(' or ')}.`
  if (auth.kind === 'merchant_or_rider') return `Scope: ${auth.scopes.join(' or ')}; riders for themselves.`
  if (auth.kind === 'admin' && auth.permission) return `Permission: ${auth.permission}.`
  return undefined
}

function securityOf({ auth }: Route): Array<Record<string, string[]>> {
  switch (auth.kind) {
    case 'merchant':
      if (auth.loginOnly) return [{ merchantToken: [] }]
      return [{ apiKey: [] }, { apiKeyHeader: [] }, ...(auth.keyOnly ? [] : [{ merchantToken: [] }])]
    case 'rider':
      return [{ riderToken: [] }]
    case 'merchant_or_rider':
      return [{ apiKey: [] }, { apiKeyHeader: [] }, { merchantToken: [] }, { riderToken: [] }]
    case 'session':
      return [{ merchantToken: [] }, { riderToken: [] }, {}]
    case 'admin':
      return [{ adminToken: [] }]
    default:
      return auth.kind === 'public' && auth.bindsTestKey ? [{}, { apiKeyHeader: [] }] : []
  }
}

// Named, so that the document holds each once.
const named = (id: string) => ({ header: { id } })

const responseHeaders = z.object({
  'X-Request-Id': z.string().meta(named('RequestId')),
  traceparent: z.string().meta(named('Traceparent')),
  'RateLimit-Policy': z
    .string()
    .optional()
    .meta({ example: '"key";q=300;w=60', ...named('RateLimitPolicy') }),
  RateLimit: z
    .string()
    .optional()
    .meta({ example: '"key";r=299;t=60', ...named('RateLimit') }),
})

const replayable = responseHeaders.extend({
  'Idempotent-Replayed': z
    .literal('true')
    .optional()
    .meta({ description: 'The reply stored for the Idempotency-Key', ...named('IdempotentReplayed') }),
})

const redirecting = responseHeaders.extend({
  Location: z.string().meta(named('Location')),
  'Set-Cookie': z.string().meta({ description: 'What the browser keeps of a log-in', ...named('SetCookie') }),
})

const challenged = responseHeaders.extend({ 'WWW-Authenticate': z.literal('Bearer').meta(named('WwwAuthenticate')) })

const retriable = responseHeaders.extend({
  'Retry-After': z
    .int()
    .min(1)
    .optional()
    .meta({ description: 'Seconds after which a retry makes sense; always there with 429', ...named('RetryAfter') }),
})

const errorHeaders: Record<number, z.ZodObject> = { 401: challenged, 409: retriable, 429: retriable, 503: retriable }

/** What it shows is in the example of the JSON. */
const A_PAGE = { 'text/html': { schema: z.string(), example: '<!doctype html>…' } }

const REASONS: Record<number, string> = { 200: 'OK', 201: 'Created', 202: 'Accepted', 302: 'Found' }

function repliesOf(route: Route, examples: Examples): ZodOpenApiResponsesObject {
  const { operationId, replies, page, idempotent, media = 'application/json' } = route
  const responses: Record<string, object> = {}
  const headers = idempotent ? replayable : responseHeaders
  for (const [status, schema] of Object.entries(replies)) {
    const description = REASONS[Number(status)] ?? 'Answer'
    responses[status] =
      status === '302'
        ? { description, headers: redirecting }
        : {
            description,
            headers,
            content: {
              [media]: { schema, example: examples.replies[`${operationId} ${status}`] },
              ...(page && A_PAGE),
            },
          }
  }
  return responses as ZodOpenApiResponsesObject
}

/** The refusals of one document, by name: routes that refuse with the same codes share one. */
type Refusals = Map<string, object>

function errorsOf(route: Route, refusals: Refusals): ZodOpenApiResponsesObject {
  const responses: Record<string, object> = {}
  const byStatus = Map.groupBy(codesOf(route).toSorted(), (code) => ERRORS[code].http)
  for (const [status, codes] of [...byStatus].toSorted(([a], [b]) => a - b)) {
    const id = [status, ...codes].join('.')
    const refusal = refusals.get(id) ?? refusalOf(id, status, codes)
    refusals.set(id, refusal)
    responses[status] = refusal
  }
  return responses as ZodOpenApiResponsesObject
}

function refusalOf(id: string, status: number, codes: readonly ErrorCode[]): object {
  const examples = Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }]))
  const headers = errorHeaders[status] ?? responseHeaders
  return {
    id,
    description: codes.join(', '),
    headers,
    content: { 'application/json': { schema: refusalBody, examples } },
  }
}

const example = (code: ErrorCode) => {
  const details = DETAILS_SHOWN[code]
  const message = details?.fields?.[0]?.message ?? ERRORS[code].message
  const error = new ServiceError(code, { message, ...(details && { details }) })
  return { summary: ERRORS[code].message, value: errorBody(error, '0191e4a0-5c1e-4a7e-9f4b-2f6d0f1f9a11') }
}
