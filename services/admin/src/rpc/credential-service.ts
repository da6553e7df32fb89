import type { CredentialServiceService } from '@svc/contracts/admin/v1/credential_service'
import { type Handlers, requireMerchant } from '@svc/grpc'
import type { Context } from '../context.ts'
import { tokenPairMessage } from '../messages/token-pair.ts'
import { keyVerdictMessage, sessionVerdictMessage } from '../messages/verdict.ts'
import { exchangeApiKey } from '../use-cases/credentials/exchange-api-key.ts'
import { logIn } from '../use-cases/credentials/log-in.ts'
import { refreshToken } from '../use-cases/credentials/refresh-token.ts'
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
    async getJwks() {
      return { jwks_json: JSON.stringify(ctx.signingKeys.jwks) }
    },
  }
}
