import type { IncomingHttpHeaders } from 'node:http'
import type { VerifyWorkspaceGrantResponse } from '@svc/contracts/admin/v1/workspace_grant_service'
import { ServiceError, validationError } from '@svc/errors'
import { systemCaller } from '@svc/grpc'
import { isUuid } from '@svc/inputs'
import type { Config } from '../config.ts'
import type { Clients } from '../services.ts'
import { suspended } from './api-key-principal.ts'
import { Lru } from './lru.ts'
import type { Identity, Principal } from './principal.ts'
import { standingOf } from './standing.ts'
import { unauthorized } from './unauthorized.ts'

interface Verdict {
  answer: VerifyWorkspaceGrantResponse
  untilMs: number
}

const HEADER = 'X-Service-Act-As-Merchant'
const MAX_GRANTS = 20_000

/** The principal as it acts for the merchant that its request or its token names; itself where neither names one. */
export type Acting = (principal: Principal, headers: IncomingHttpHeaders) => Principal

/**
 * Judges who acts for another merchant. Like a key's, the verdict on a grant is reused for at most five seconds, and only
 * while Redis reports the epoch in which it was given: a revoked grant bites on the next request. That there is no grant is
 * asked anew each time: what callers make up fills nothing.
 */
export function actingFor({ verdictTtlMs }: Config, grants: Clients['workspaceGrant']): Acting {
  const known = new Lru<string, Verdict>(MAX_GRANTS)

  async function ask(grantor: string, grantee: string): Promise<VerifyWorkspaceGrantResponse> {
    const request = { grantor_merchant_id: grantor, grantee_merchant_id: grantee }
    // From the question on: what happened to the grant while it was answered may not be in the answer.
    const untilMs = Date.now() + verdictTtlMs
    const answer = await grants.as(systemCaller('gateway')).verifyWorkspaceGrant(request)
    const pair = `${grantor} ${grantee}`
    if (answer.verdict === 'active') known.set(pair, { answer, untilMs })
    else known.delete(pair)
    return answer
  }

  /** The grant as it stands in this epoch; undefined or null: Redis does not say. */
  async function judge(grantor: string, grantee: string, epoch: string | null | undefined) {
    const verdict = known.get(`${grantor} ${grantee}`)
    const isCurrent = verdict && (epoch === null || epoch === undefined || Number(epoch) === verdict.answer.epoch)
    return isCurrent && verdict.untilMs > Date.now() ? verdict.answer : ask(grantor, grantee)
  }

  return (principal, headers) => {
    const { merchantId, grantor: ofToken, credentials } = principal
    const named = headers[HEADER.toLowerCase()]
    if (merchantId === undefined || (named === undefined && ofToken === undefined)) return principal
    const grantor =
      ofToken?.merchantId ?? (typeof named === 'string' && isUuid(named) ? named.toLowerCase() : undefined)
    return {
      ...principal,
      credentials: grantor === undefined ? credentials : [...credentials, `grant:${grantor}:${merchantId}`],
      async confirm(epochs) {
        const identity = await principal.confirm(epochs?.slice(0, credentials.length))
        if (grantor === undefined) throw malformed()
        if (ofToken && named !== undefined)
          throw new ServiceError('forbidden', { details: { reason: 'delegated_token' } })
        const grant = await judge(grantor, merchantId, epochs?.[credentials.length])
        const stands = grant.verdict === 'active' && (ofToken === undefined || grant.epoch === ofToken.epoch)
        if (!stands) throw ofToken ? unauthorized('revoked') : noActiveGrant()
        return asGrantee(identity, merchantId, grant, ofToken !== undefined)
      },
    }
  }
}

/** What the grantee is while it acts: the grantor's tenant, its own actor, and the scopes that both of them have. */
function asGrantee(
  own: Identity,
  granteeMerchantId: string,
  grant: VerifyWorkspaceGrantResponse,
  byToken: boolean,
): Identity {
  const { merchantId, standing } = standingOf(grant.standing)
  // A live credential has no part in what reaches the sandbox alone.
  if (grant.is_test && own.isTest === false) throw noActiveGrant()
  const scopes = own.scopes.filter((scope) => grant.scopes.includes(scope))
  if (scopes.length === 0) throw new ServiceError('forbidden', { details: { reason: 'no_common_scope' } })
  if (own.isTest === false && !grant.may_trade_live) throw suspended(standing)
  return {
    ...own,
    merchantId,
    isTest: grant.is_test ? true : own.isTest,
    scopes,
    standing,
    actingFor: merchantId,
    delegation: { granteeMerchantId, epoch: grant.epoch, byToken },
  }
}

const noActiveGrant = () => new ServiceError('forbidden', { details: { reason: 'no_active_grant' } })

const malformed = () =>
  validationError([{ field: HEADER, rule: 'uuid', message: `${HEADER} must be the id of a merchant.` }])

interface Act {
  operation: string
  path: string
  requestId: string
  address: string
  isTest: boolean | null
}

/**
 * Puts on record in both tenants what a grantee is about to change, and that its grant still stands. Without the record the
 * change does not begin.
 */
export async function recordAct(grants: Clients['workspaceGrant'], identity: Identity, act: Act): Promise<void> {
  const { delegation, merchantId, actor } = identity
  if (!delegation || merchantId === undefined) return
  const request = {
    grantor_merchant_id: merchantId,
    grantee_merchant_id: delegation.granteeMerchantId,
    epoch: delegation.epoch,
    actor_type: actor.type,
    actor_id: actor.id,
    is_test: act.isTest === true,
    operation: act.operation,
    path: act.path,
    ip: act.address,
  }
  try {
    await grants.as(systemCaller('gateway', act.requestId)).recordDelegatedAct(request)
  } catch (error) {
    const hasEnded = error instanceof ServiceError && error.code === 'forbidden'
    throw hasEnded && delegation.byToken ? unauthorized('revoked') : error
  }
}
