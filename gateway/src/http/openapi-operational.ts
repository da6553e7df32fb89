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
      security: [],
      requestParams: { query: openApiQuery },
      responses: {
        200: { description: 'OpenAPI 3.1', content: json(z.looseObject({}), { openapi: '3.1.0' }) },
        304: { description: 'Unchanged since the ETag' },
      },
    },
  },
  '/asyncapi.json': {
    get: {
      operationId: 'getAsyncApi',
      tags,
      summary: 'The description of the sockets',
      security: [],
      responses: {
        200: { description: 'AsyncAPI 3', content: json(z.looseObject({}), { asyncapi: '3.0.0' }) },
        304: { description: 'Unchanged since the ETag' },
        400: { description: 'No such audience' },
      },
    },
  },
}
