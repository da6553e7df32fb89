import * as z from 'zod'
import type { ZodOpenApiPathsObject } from 'zod-openapi'
import { AUDIENCES } from './audiences.ts'

const tags = ['Operations']
const json = (schema: z.ZodType, example: unknown) => ({ 'application/json': { schema, example } })

const state = z.enum(['ok', 'failed'])

const readiness = z
  .object({
    status: z.enum(['ok', 'degraded', 'unavailable']),
    checks: z.looseObject({
      database: state,
      redis: state,
      kafka: state,
      services: z.record(z.string(), state),
    }),
  })
  .meta({ id: 'Readiness' })

export const openApiQuery = z.object({
  audience: z.enum(AUDIENCES).optional().meta({ description: 'Only what is for these; all of it without' }),
})
/** That of RFC 8037. */
const publicKey = {
  kty: 'OKP',
  crv: 'Ed25519',
  x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
  kid: '2026-11',
  use: 'sig',
  alg: 'EdDSA',
}
const readyNow = {
  status: 'ok',
  checks: { database: 'ok', redis: 'ok', kafka: 'ok', services: { admin: 'ok', order: 'ok' } },
}

/** The paths outside the table of routes. */
export const operationalPaths: ZodOpenApiPathsObject = {
  '/health': {
    get: {
      operationId: 'getHealth',
      tags,
      summary: 'Whether the process is alive',
      description: 'For a liveness probe: it looks at nothing but the process itself.',
      security: [],
      responses: {
        200: { description: 'Alive', content: json(z.object({ status: z.literal('ok') }), { status: 'ok' }) },
      },
    },
  },
  '/health/ready': {
    get: {
      operationId: 'getReadiness',
      tags,
      summary: 'Whether requests can be served',
      description:
        'For a readiness probe, and to see in `checks` what fails. 503 where no request can be served; 200 with `degraded` where a part is down without which the rest goes on.',
      security: [],
      responses: {
        200: { description: 'Ready; degraded where an optional part is down', content: json(readiness, readyNow) },
        503: { description: 'Not ready', content: json(readiness, { ...readyNow, status: 'unavailable' }) },
      },
    },
  },
  '/.well-known/jwks.json': {
    get: {
      operationId: 'getJwks',
      tags,
      summary: 'The public keys of access tokens',
      description:
        'To verify an access token without asking here: choose the key by the `kid` of the token. Keys change, so ask again for a `kid` that you do not know; keep the answer for five minutes.',
      security: [],
      responses: {
        200: {
          description: 'JSON Web Key Set',
          content: json(z.looseObject({ keys: z.array(z.looseObject({})) }), { keys: [publicKey] }),
        },
      },
    },
  },
  '/openapi.json': {
    get: {
      operationId: 'getOpenApi',
      tags,
      summary: 'This description',
      description:
        'All of it, or by `audience` what is for merchants, riders, operators or providers. Send the `ETag` as `If-None-Match`: 304 says that nothing has changed.',
      security: [],
      requestParams: { query: openApiQuery },
      responses: {
        200: { description: 'OpenAPI 3.1', content: json(z.looseObject({}), { openapi: '3.1.0' }) },
        304: { description: 'Unchanged since the ETag' },
        400: { description: 'No such audience' },
      },
    },
  },
  '/asyncapi.json': {
    get: {
      operationId: 'getAsyncApi',
      tags,
      summary: 'The description of the sockets',
      description:
        'AsyncAPI 3 with samples of every message, for clients that follow riders or an order live. Send the `ETag` as `If-None-Match`: 304 says that nothing has changed.',
      security: [],
      responses: {
        200: { description: 'AsyncAPI 3', content: json(z.looseObject({}), { asyncapi: '3.0.0' }) },
        304: { description: 'Unchanged since the ETag' },
      },
    },
  },
}
