import type { SigningKey } from '@svc/credentials'
import {
  type CryptoKey,
  calculateJwkThumbprint,
  createLocalJWKSet,
  exportJWK,
  generateKeyPair,
  importJWK,
  type JWK,
  type JWTVerifyGetKey,
} from 'jose'

type PrivateJwk = JWK & { kty: 'OKP'; x: string; d: string }

export interface SigningKeys {
  current: SigningKey
  /** The public halves of the current and the previous key. */
  jwks: { keys: JWK[] }
  verifyingKeys: JWTVerifyGetKey
}

/** A new private key, named by its thumbprint as `createSigningKeys` would name it. */
export async function newSigningKey(): Promise<PrivateJwk> {
  const { privateKey } = await generateKeyPair('EdDSA', { extractable: true })
  const jwk = (await exportJWK(privateKey)) as PrivateJwk
  return { ...jwk, kid: await calculateJwkThumbprint(jwk) }
}

/** The keys of this installation: the current one signs, both verify. */
export async function createSigningKeys(current: PrivateJwk, previous?: PrivateJwk): Promise<SigningKeys> {
  const publicKeys = await Promise.all([current, ...(previous ? [previous] : [])].map(publicHalf))
  const jwks = { keys: publicKeys }
  return {
    current: {
      kid: publicKeys[0]!.kid,
      privateKey: (await importJWK({ ...current, alg: 'EdDSA' })) as CryptoKey,
    },
    jwks,
    verifyingKeys: createLocalJWKSet(jwks),
  }
}

async function publicHalf({ x, kid }: PrivateJwk): Promise<JWK & { kid: string }> {
  const jwk = { kty: 'OKP', crv: 'Ed25519', x } as const
  return { ...jwk, kid: kid ?? (await calculateJwkThumbprint(jwk)), alg: 'EdDSA', use: 'sig' }
}
