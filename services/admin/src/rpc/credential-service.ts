import { CredentialServiceService } from '@svc/contracts/admin/v1/credential_service'
import { anyone, inPerson, keyOnly, merchant, rpc, service, serving } from '@svc/grpc'
import { idField, optionalUuid } from '@svc/inputs'
import * as z from 'zod'
import type { Context } from '../context.ts'
import { riderTokensMessage, tokenPairMessage } from '../messages/token-pair.ts'
import { keyVerdictMessage, sessionVerdictMessage } from '../messages/verdict.ts'
import { exchangeApiKey } from '../use-cases/credentials/exchange-api-key.ts'
import { getJwks } from '../use-cases/credentials/get-jwks.ts'
import { issueRiderTokens } from '../use-cases/credentials/issue-rider-tokens.ts'
import { logIn } from '../use-cases/credentials/log-in.ts'
import { logOut } from '../use-cases/credentials/log-out.ts'
import { refreshToken } from '../use-cases/credentials/refresh-token.ts'
import { revokeRiderTokens } from '../use-cases/credentials/revoke-rider-tokens.ts'
import { verifyApiKey } from '../use-cases/credentials/verify-api-key.ts'
import { verifyApiKeys } from '../use-cases/credentials/verify-api-keys.ts'
import { verifySession } from '../use-cases/credentials/verify-session.ts'

/** Asks before it knows who calls. */
const GATEWAY = service('gateway')
/** Riders are known to dispatch alone; no other service speaks for them. */
const DISPATCH = service('dispatch')

/** Verdicts and tokens. */
export const credentialService = serving<Context>()(CredentialServiceService, {
  verifyApiKey: rpc({
    access: GATEWAY,
    handle: async (ctx, by, { key_id: keyId, secret_sha256: secretSha256 }) =>
      keyVerdictMessage(keyId, await verifyApiKey(ctx, by, { keyId, secretSha256 })),
  }),

  verifyApiKeys: rpc({
    access: GATEWAY,
    input: z.object({ keys: z.array(z.object({ key_id: z.string(), secret_sha256: z.instanceof(Buffer) })).max(500) }),
    async handle(ctx, by, { keys }) {
      const asked = keys.map(({ key_id: keyId, secret_sha256: secretSha256 }) => ({ keyId, secretSha256 }))
      const verdicts = await verifyApiKeys(ctx, by, asked)
      return { verdicts: verdicts.map((verdict, nth) => keyVerdictMessage(asked[nth]!.keyId, verdict)) }
    },
  }),

  verifySession: rpc({
    access: GATEWAY,
    handle: async (ctx, by, { credential, session_id: sessionId }) =>
      sessionVerdictMessage(await verifySession(ctx, by, { credential, sessionId })),
  }),

  exchangeApiKey: rpc({
    access: inPerson(keyOnly(merchant())),
    input: z.object({ grantor_merchant_id: idField.optional() }),
    handle: async (ctx, by, { grantor_merchant_id: grantor }) => ({
      tokens: tokenPairMessage(await exchangeApiKey(ctx, by, { grantor })),
    }),
  }),

  logIn: rpc({
    access: anyone(),
    handle: async (ctx, by, login) => ({ tokens: tokenPairMessage(await logIn(ctx, by, login)) }),
  }),

  refreshToken: rpc({
    access: anyone(),
    handle: async (ctx, by, { refresh_token: token }) => ({
      tokens: tokenPairMessage(await refreshToken(ctx, by, { token })),
    }),
  }),

  logOut: rpc({
    access: anyone(),
    async handle(ctx, by, { refresh_token: token }) {
      await logOut(ctx, by, { refreshToken: token })
      return {}
    },
  }),

  issueRiderTokens: rpc({
    access: DISPATCH,
    handle: async (ctx, by, asked) =>
      riderTokensMessage(
        await issueRiderTokens(ctx, by, {
          riderId: asked.rider_id,
          merchantId: asked.merchant_id,
          isTest: asked.is_test,
          accessTtlSeconds: asked.access_ttl_seconds,
          isRefreshed: asked.with_refresh_token,
          mintedBy: asked.minted_by,
          minterEpoch: asked.minter_epoch,
        }),
        asked.with_refresh_token,
      ),
  }),

  revokeRiderTokens: rpc({
    access: DISPATCH,
    handle: async (ctx, by, asked) => ({
      token_version: await revokeRiderTokens(ctx, by, {
        riderId: asked.rider_id,
        exceptSessionId: asked.except_session_id,
        revocationId: optionalUuid('revocation_id', asked.revocation_id),
      }),
    }),
  }),

  getJwks: rpc({
    access: GATEWAY,
    handle: async (ctx) => ({ jwks_json: JSON.stringify(getJwks(ctx)) }),
  }),
})
