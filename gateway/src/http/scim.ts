import { secretEquals } from '@svc/credentials'
import { ERRORS, ServiceError } from '@svc/errors'
import type { Request, Response, Router } from 'express'
import type { Config } from '../config.ts'
import type { AccessLog, Answered } from './access-log.ts'
import type { ClientAddress } from './client-address.ts'
import { errorBody, sendError } from './errors.ts'
import { openExchange, send } from './exchange.ts'
import { scimCalls } from './limits.ts'
import type { RateLimiter } from './rate-limit.ts'
import { refuseMethod } from './refuse.ts'
import { tooMany } from './too-many.ts'
import { unauthorized } from './unauthorized.ts'

const MEDIA_TYPE = 'application/scim+json'
const CONFIGURATION = '/scim/v2/ServiceProviderConfig'
const USERS = '/scim/v2/Users'

interface Provisioned {
  config: Config
  limiter: RateLimiter
  addressOf: ClientAddress
  accessLog: AccessLog
}

/**
 * SCIM 2.0 as far as it goes: a provisioning service learns that nothing is provisioned here, and why. Without a configured
 * token there is no such path.
 */
export function mountScim(router: Router, { config, limiter, addressOf, accessLog }: Provisioned): void {
  const { scimToken, publicBaseUrl } = config
  if (scimToken === undefined) return

  const serve = (route: string, answer: () => object) => async (request: Request, response: Response) => {
    const requestId = openExchange(request, response)
    const answered: Answered = { request, response, requestId, route, code: 'ok', startedAt: performance.now() }
    try {
      const usage = await limiter.count(scimCalls(config, addressOf(request)), [])
      if (!usage.admitted) throw tooMany(usage)
      assertBearer(request.headers.authorization, scimToken)
      send(response, 200, MEDIA_TYPE, JSON.stringify(answer()))
    } catch (error) {
      const shape = { contentType: MEDIA_TYPE, textOf: scimError }
      answered.code = sendError(response, error, { requestId, log: accessLog, shape })
    }
    accessLog.tell(answered)
  }
  const notOffered = () => {
    throw new ServiceError('not_implemented', { message: 'Users are not provisioned by SCIM: make them by the API.' })
  }

  router
    .route(CONFIGURATION)
    .get(serve(CONFIGURATION, () => serviceProviderConfig(publicBaseUrl)))
    .all(refuseMethod(['GET'], CONFIGURATION, accessLog))
  router
    .route(USERS)
    .get(serve(USERS, () => NO_USERS))
    .post(serve(USERS, notOffered))
    .all(refuseMethod(['GET', 'POST'], USERS, accessLog))
}

function assertBearer(authorization: string | undefined, tokens: readonly string[]): void {
  if (authorization === undefined) throw unauthorized('missing')
  const [, presented] = /^Bearer +([\x21-\x7e]+) *$/i.exec(authorization) ?? []
  if (presented === undefined || !tokens.some((token) => secretEquals(presented, token))) throw unauthorized('invalid')
}

/** The list of users. */
export const NO_USERS = {
  schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
  totalResults: 0,
  startIndex: 1,
  itemsPerPage: 0,
  Resources: [],
}

/** What SCIM offers here. */
export const serviceProviderConfig = (publicBaseUrl = '') => ({
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig'],
  patch: { supported: false },
  bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
  filter: { supported: false, maxResults: 0 },
  changePassword: { supported: false },
  sort: { supported: false },
  etag: { supported: false },
  authenticationSchemes: [
    {
      type: 'oauthbearertoken',
      name: 'Bearer token',
      description: 'The token that the operator of the platform has configured.',
      specUri: 'https://www.rfc-editor.org/info/rfc6750',
      primary: true,
    },
  ],
  meta: { resourceType: 'ServiceProviderConfig', location: `${publicBaseUrl.replace(/\/+$/, '')}${CONFIGURATION}` },
})

/** An error as SCIM spells it, with what every error of ours holds beside. */
const scimError = (error: ServiceError, requestId: string): string =>
  JSON.stringify({
    schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
    status: String(ERRORS[error.code].http),
    detail: error.message,
    ...errorBody(error, requestId),
  })
