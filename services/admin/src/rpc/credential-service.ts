import type { CredentialServiceService } from '@svc/contracts/admin/v1/credential_service'
import { ServiceError } from '@svc/errors'
import { type Caller, type Handlers, requireMerchant } from '@svc/grpc'
import type { Context } from '../context.ts'
import { riderTokensMessage, tokenPairMessage } from '../messages/token-pair.ts'
import { keyVerdictMessage, sessionVerdictMessage } from '../messages/verdict.ts'
import { exchangeApiKey } from '../use-cases/credentials/exchange-api-key.ts'
import { issueRiderTokens } from '../use-cases/credentials/issue-rider-tokens.ts'
import { logIn } from '../use-cases/credentials/log-in.ts'
import { logOut } from '../use-cases/credentials/log-out.ts'
import { refreshToken } from '../use-cases/credentials/refresh-token.ts'
import { revokeRiderTokens } from '../use-cases/credentials/revoke-rider-tokens.ts'
import { verifyApiKey } from '../use-cases/credentials/verify-api-key.ts'
import { verifySession } from '../use-cases/credentials/verify-session.ts'

/** Verdicts and tokens over gRPC. */
export function credentialService(ctx: Context): Handlers<CredentialServiceService> {
  return {
    async verifyApiKey({ key_id, secret_sha256 }) {
      return keyVerdictMessage(key_id, await verifyApiKey(ctx, key_id, secret_sha256))
    },
    async verifySession({ credential, session_id }) {
      return sessionVerdictMessage(await verifySession(ctx, credential, session_id))
    },
    async exchangeApiKey(_request, call) {
      const tenant = requireMerchant(call)
      return { tokens: tokenPairMessage(await exchangeApiKey(ctx, tenant, call.caller)) }
    },
    async logIn(request) {
      return { tokens: tokenPairMessage(await logIn(ctx, request)) }
    },
    async refreshToken({ refresh_token }, { caller }) {
      return { tokens: tokenPairMessage(await refreshToken(ctx, caller, refresh_token)) }
    },
    async logOut({ refresh_token }, { caller }) {
      await logOut(ctx, caller, refresh_token)
      return {}
    },
    async issueRiderTokens(request, { caller }) {
      requireDispatch(caller)
      return riderTokensMessage(await issueRiderTokens(ctx, request), request.with_refresh_token)
    },
    async revokeRiderTokens({ rider_id }, { caller }) {
      requireDispatch(caller)
      return { token_version: await revokeRiderTokens(ctx, caller, rider_id) }
    },
    async getJwks() {
      return { jwks_json: JSON.stringify(ctx.signingKeys.jwks) }
    },
  }
}

/** Riders are known to dispatch alone; nobody else speaks for them. */
function requireDispatch({ kind, actor }: Caller): void {
  if (kind !== 'system' || actor.id !== 'dispatch') throw new ServiceError('forbidden')
}
