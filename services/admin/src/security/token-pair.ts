import { createHmac } from 'node:crypto'
import { type SigningKey, signToken } from '@svc/credentials'
import type { Context } from '../context.ts'
import { type Holder, isRider } from '../domain/holder.ts'
import type { Session } from '../domain/session.ts'

export interface TokenPair {
  accessToken: string
  refreshToken: string
  expiresInSeconds: number
  refreshExpiresInSeconds: number
  holder: Holder
}

/** Of a family, what is in its tokens. */
export type TokenSession = Pick<
  Session,
  'id' | 'generation' | 'issuedAt' | 'expiresAt' | 'createdAt' | 'accessTtlSeconds'
>

const seconds = (date: Date) => Math.floor(date.getTime() / 1000)

/**
 * The pair of the session's present generation. Nothing in it is random or of the moment: made again from an unchanged
 * session and holder it is byte for byte the same, so that a lost reply can be repeated without storing any secret.
 */
export async function tokenPair(ctx: Context, session: TokenSession, holder: Holder): Promise<TokenPair> {
  const {
    apiKeyPepper: [pepper],
    accessTokenTtlSeconds,
  } = ctx.config
  const ttlSeconds = session.accessTtlSeconds ?? accessTokenTtlSeconds
  const iat = seconds(session.issuedAt)
  const familyEnds = seconds(session.expiresAt)
  const accessEnds = Math.min(iat + ttlSeconds, familyEnds)
  const jti = (kind: string) =>
    createHmac('sha256', pepper).update(`${kind}:${session.id}:${session.generation}`).digest('base64url')
  const key = ctx.signingKeys.current
  const common = { sub: holder.subject, sid: session.id, iat }

  const [accessToken, refreshToken] = await Promise.all([
    signAccess(holder, session, { ...common, jti: jti('access'), exp: accessEnds }, key),
    signToken(
      'refresh',
      {
        ...common,
        ...(isRider(holder) ? {} : { merchant_id: holder.merchantId }),
        ...(isRider(holder) || !holder.grantor ? {} : { grantor_merchant_id: holder.grantor.merchantId }),
        gen: session.generation,
        jti: jti('refresh'),
        exp: familyEnds,
      },
      key,
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

interface AccessClaims {
  sub: string
  sid: string
  jti: string
  iat: number
  exp: number
}

function signAccess(holder: Holder, session: TokenSession, claims: AccessClaims, key: SigningKey): Promise<string> {
  const { credential, epoch: ep } = holder
  const scopes = [...holder.scopes]
  if (isRider(holder)) {
    const { merchantId, isTest, minter } = holder
    const bound = merchantId === null ? {} : { merchant_id: merchantId }
    const origin = minter
      ? { minted_by: minter.credential, mint_ep: minter.epoch }
      : { auth_time: seconds(session.createdAt) }
    const rider = { ...bound, ...origin, scopes, is_test: isTest, role: 'rider' as const, credential, ep }
    return signToken('rider', { ...claims, ...rider }, key)
  }
  const { merchantId, keyId, isTest, grantor } = holder
  const named = keyId === undefined ? {} : { key_id: keyId }
  const acting = grantor ? { grantor_merchant_id: grantor.merchantId, grant_ep: grantor.epoch } : {}
  return signToken(
    'merchant',
    {
      ...claims,
      merchant_id: merchantId,
      ...named,
      ...acting,
      scopes,
      is_test: isTest,
      role: 'merchant',
      credential,
      ep,
    },
    key,
  )
}
