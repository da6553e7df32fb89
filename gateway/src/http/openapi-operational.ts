import * as z from 'zod'
import type { ZodOpenApiPathsObject } from 'zod-openapi'
import { AUDIENCES } from './audiences.ts'

const tags = ['Operations']
const json = (schema: z.ZodType) => ({ 'application/json': { schema } })

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

/** The paths outside the table of routes. */
export const operationalPaths: ZodOpenApiPathsObject = {
  '/health': {
    get: {
      operationId: 'getHealth',
      tags,
      summary: 'Whether the process is alive',
      security: [],
      responses: { 200: { description: 'Alive', content: json(z.object({ status: z.literal('ok') })) } },
    },
  },
  '/health/ready': {
    get: {
      operationId: 'getReadiness',
      tags,
      summary: 'Whether requests can be served',
      security: [],
      responses: {
        200: { description: 'Ready; degraded where an optional part is down', content: json(readiness) },
        503: { description: 'Not ready', content: json(readiness) },
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
        200: { description: 'JSON Web Key Set', content: json(z.looseObject({ keys: z.array(z.looseObject({})) })) },
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
        200: { description: 'OpenAPI 3.1', content: json(z.looseObject({})) },
        304: { description: 'Unchanged since the ETag' },
        400: { description: 'No such audience' },
      },
    },
  },
}
