import { createHmac } from 'node:crypto'
import { signToken } from '@svc/credentials'
import type { Context } from '../context.ts'
import type { Holder } from '../domain/holder.ts'
import type { Session } from '../domain/session.ts'

export interface TokenPair {
  accessToken: string
  refreshToken: string
  expiresInSeconds: number
  refreshExpiresInSeconds: number
  holder: Holder
}

const seconds = (date: Date) => Math.floor(date.getTime() / 1000)

/**
 * The pair of the session's present generation. Nothing in it is random or of the moment: made again from an unchanged
 * session and holder it is byte for byte the same, so that a lost reply can be repeated without storing any secret.
 */
export async function tokenPair(ctx: Context, session: Session, holder: Holder): Promise<TokenPair> {
  const { apiKeyPepper, accessTokenTtlSeconds } = ctx.config
  const iat = seconds(session.issuedAt)
  const familyEnds = seconds(session.expiresAt)
  const accessEnds = Math.min(iat + accessTokenTtlSeconds, familyEnds)
  const jti = (kind: string) =>
    createHmac('sha256', apiKeyPepper).update(`${kind}:${session.id}:${session.generation}`).digest('base64url')
  const whose = { sub: holder.subject, merchant_id: holder.merchantId, sid: session.id, iat }

  const [accessToken, refreshToken] = await Promise.all([
    signToken(
      'merchant',
      {
        ...whose,
        ...(holder.keyId === undefined ? {} : { key_id: holder.keyId }),
        scopes: [...holder.scopes],
        is_test: holder.isTest,
        role: 'merchant',
        credential: holder.credential,
        ep: holder.epoch,
        jti: jti('access'),
        exp: accessEnds,
      },
      ctx.signingKeys.current,
    ),
    signToken(
      'refresh',
      { ...whose, gen: session.generation, jti: jti('refresh'), exp: familyEnds },
      ctx.signingKeys.current,
    ),
  ])
  return {
    accessToken,
    refreshToken,
    expiresInSeconds: accessEnds - iat,
    refreshExpiresInSeconds: familyEnds - iat,
    holder,
  }
}
