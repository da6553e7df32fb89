import { type CryptoKey, SignJWT } from 'jose'
import { type ClaimsOf, TOKEN_KINDS, type TokenKind } from './token-kinds.ts'

/** A private Ed25519 key and the id under which its public half is published. */
export interface SigningKey {
  kid: string
  privateKey: CryptoKey
}

/** Signs a token of the kind. The same key and claims give the same bytes, for Ed25519 is deterministic. */
export function signToken<K extends TokenKind>(kind: K, claims: ClaimsOf[K], key: SigningKey): Promise<string> {
  const { typ, iss, aud } = TOKEN_KINDS[kind]
  return new SignJWT({ iss, aud, ...claims })
    .setProtectedHeader({ alg: 'EdDSA', typ, kid: key.kid })
    .sign(key.privateKey)
}
