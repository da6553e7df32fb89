import type {
  IssueRiderTokensResponse,
  TokenPair as TokenPairMessage,
} from '@svc/contracts/admin/v1/credential_service'
import { isRider } from '../domain/holder.ts'
import type { TokenPair } from '../security/token-pair.ts'

export function tokenPairMessage(pair: TokenPair): TokenPairMessage {
  return {
    access_token: pair.accessToken,
    refresh_token: pair.refreshToken,
    expires_in: pair.expiresInSeconds,
    refresh_expires_in: pair.refreshExpiresInSeconds,
    scopes: [...pair.holder.scopes],
    merchant_id: pair.holder.merchantId ?? '',
    is_test: pair.holder.isTest ?? undefined,
    rider_id: isRider(pair.holder) ? pair.holder.subject : undefined,
    grantor_merchant_id: isRider(pair.holder) ? undefined : pair.holder.grantor?.merchantId,
  }
}

export function riderTokensMessage(pair: TokenPair, isRefreshed: boolean): IssueRiderTokensResponse {
  const { accessToken, refreshToken, expiresInSeconds, refreshExpiresInSeconds } = pair
  return {
    access_token: accessToken,
    expires_in: expiresInSeconds,
    ...(isRefreshed ? { refresh_token: refreshToken, refresh_expires_in: refreshExpiresInSeconds } : {}),
  }
}
