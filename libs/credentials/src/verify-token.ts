import { errors, type JWTVerifyGetKey, jwtVerify } from 'jose'
import { type ClaimsOf, TOKEN_KINDS, type TokenKind } from './token-kinds.ts'

export type VerifiedToken<C> = { ok: true; claims: C } | { ok: false; reason: 'invalid' | 'expired' }

/** No clock of ours is further off than this. */
const MAX_SKEW_SECONDS = 30

interface Options {
  now?: Date
  /** Seconds that clocks may differ; at most 30. */
  skewSeconds?: number
}

/**
 * Verifies signature, kind and lifetime of a token; whether its credential still lives is asked elsewhere.
 * Only EdDSA and only keys of the given set count: nothing in the token chooses where its key comes from.
 */
export async function verifyToken<K extends TokenKind>(
  kind: K,
  token: string,
  keys: JWTVerifyGetKey,
  { now = new Date(), skewSeconds = 30 }: Options = {},
): Promise<VerifiedToken<ClaimsOf[K]>> {
  const { typ, iss, aud } = TOKEN_KINDS[kind]
  try {
    const { payload } = await jwtVerify<ClaimsOf[K]>(token, keys, {
      algorithms: ['EdDSA'],
      typ,
      issuer: iss,
      audience: aud,
      requiredClaims: ['exp', 'iat', 'jti', 'sub'],
      clockTolerance: Math.min(skewSeconds, MAX_SKEW_SECONDS),
      currentDate: now,
    })
    // The library looks at the time of signing only together with an age, which none of ours has.
    if (payload.iat > now.getTime() / 1000 + MAX_SKEW_SECONDS) return { ok: false, reason: 'invalid' }
    return { ok: true, claims: payload }
  } catch (error) {
    if (error instanceof errors.JWTExpired) return { ok: false, reason: 'expired' }
    if (error instanceof errors.JOSEError && !TRANSPORT_ERRORS.has(error.code)) return { ok: false, reason: 'invalid' }
    // A key set that cannot be fetched says nothing about the token: the caller answers "unavailable", never "invalid".
    throw error
  }
}

const TRANSPORT_ERRORS = new Set<string>([errors.JWKSTimeout.code, errors.JWKSInvalid.code])
