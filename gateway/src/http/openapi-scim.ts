import * as z from 'zod'
import type { ZodOpenApiPathsObject } from 'zod-openapi'
import { NO_USERS, serviceProviderConfig } from './scim.ts'

const scim = (schema: z.ZodType, example?: object) => ({ 'application/scim+json': { schema, example } })
const schemas = z.array(z.string())

const error = z
  .object({
    schemas,
    status: z.string(),
    detail: z.string(),
    error: z.string(),
    message: z.string(),
    request_id: z.string(),
  })
  .meta({ id: 'ScimError' })

const supported = z.object({ supported: z.boolean() })

const configuration = z.object({
  schemas,
  patch: supported,
  bulk: supported.extend({ maxOperations: z.int(), maxPayloadSize: z.int() }),
  filter: supported.extend({ maxResults: z.int() }),
  changePassword: supported,
  sort: supported,
  etag: supported,
  authenticationSchemes: z.array(z.looseObject({ type: z.string(), name: z.string(), description: z.string() })),
  meta: z.object({ resourceType: z.string(), location: z.string() }),
})

const users = z.object({
  schemas,
  totalResults: z.int(),
  startIndex: z.int(),
  itemsPerPage: z.int(),
  Resources: z.array(z.looseObject({})),
})

const refusal = (description: string) => ({ description, content: scim(error) })

const operation = (operationId: string, summary: string) => ({
  operationId,
  tags: ['Operations'],
  summary,
  description: 'There where the operator of the platform has switched SCIM on; 404 elsewhere.',
  security: [{ scimToken: [] }],
})

const refusals = {
  401: refusal('unauthorized'),
  404: { description: 'not_found: SCIM is off' },
  429: refusal('rate_limited'),
}

/** SCIM 2.0, which has media types and errors of its own. */
export const scimPaths: ZodOpenApiPathsObject = {
  '/scim/v2/ServiceProviderConfig': {
    get: {
      ...operation('getScimServiceProviderConfig', 'What SCIM offers here'),
      responses: {
        200: { description: 'OK', content: scim(configuration, serviceProviderConfig('https://api.example.com')) },
        ...refusals,
      },
    },
  },
  '/scim/v2/Users': {
    get: {
      ...operation('listScimUsers', 'List provisioned users: none'),
      responses: { 200: { description: 'OK', content: scim(users, NO_USERS) }, ...refusals },
    },
    post: {
      ...operation('createScimUser', 'Provision a user: not offered'),
      responses: { 501: refusal('not_implemented'), ...refusals },
    },
  },
}
