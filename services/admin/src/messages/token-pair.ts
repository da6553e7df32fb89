import type { TokenPair as TokenPairMessage } from '@svc/contracts/admin/v1/credential_service'
import type { TokenPair } from '../security/token-pair.ts'

export function tokenPairMessage(pair: TokenPair): TokenPairMessage {
  return {
    access_token: pair.accessToken,
    refresh_token: pair.refreshToken,
    expires_in: pair.expiresInSeconds,
    refresh_expires_in: pair.refreshExpiresInSeconds,
    scopes: [...pair.holder.scopes],
    merchant_id: pair.holder.merchantId,
    is_test: pair.holder.isTest ?? undefined,
  }
}
