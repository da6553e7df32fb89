/** The classes of token. Each has a type, issuer and audience of its own, so that none passes for another. */
export const TOKEN_KINDS = {
  merchant: { typ: 'at+jwt', iss: 'svc', aud: 'svc:merchant' },
  rider: { typ: 'rider-at+jwt', iss: 'svc', aud: 'svc:rider' },
  admin: { typ: 'admin-at+jwt', iss: 'svc', aud: 'svc:admin' },
  refresh: { typ: 'rt+jwt', iss: 'svc', aud: 'svc:refresh' },
} as const

export type TokenKind = keyof typeof TOKEN_KINDS

interface StandardClaims {
  sub: string
  jti: string
  /** Seconds since 1970. */
  iat: number
  exp: number
}

export interface MerchantClaims extends StandardClaims {
  merchant_id: string
  /** The 12 characters inside the API key; absent in a login's token. */
  key_id?: string
  scopes: string[]
  /** null: a login, whose reads see both environments. */
  is_test: boolean | null
  role: 'merchant'
  /** `key:<id>` or `user:<id>`. */
  credential: string
  /** Epoch of the credential when the token was made. */
  ep: number
  /** The refresh family. */
  sid: string
  /** The merchant for which a delegated token acts, by the grant of that epoch. */
  grantor_merchant_id?: string
  grant_ep?: number
}

export interface RiderClaims extends StandardClaims {
  /** The merchant to which the token is bound: of the rider's fleet, or of the sandbox. */
  merchant_id?: string
  scopes: string[]
  is_test: boolean
  role: 'rider'
  /** `rider:<id>` */
  credential: string
  /** Epoch of the credential when the token was made: the rider's token version. */
  ep: number
  /** The refresh family. */
  sid: string
  /** When the rider logged in by a code, in seconds since 1970; absent where a key minted the token. */
  auth_time?: number
  /** `key:<id>`: the merchant's key that minted the token. */
  minted_by?: string
  /** Epoch of that key when the token was made. */
  mint_ep?: number
}

export interface AdminClaims extends StandardClaims {
  permissions: string[]
  role: 'admin'
  /** `operator:<id>`; `operator:static` for the static token. */
  credential: string
  ep: number
  auth: 'static' | 'rbac' | 'oidc'
}

export interface RefreshClaims extends StandardClaims {
  /** The family. */
  sid: string
  /** Which of the family's tokens this is; each use makes the next. */
  gen: number
  /** Absent in a rider's. */
  merchant_id?: string
  /** As in the access tokens of the family. */
  grantor_merchant_id?: string
}

export interface ClaimsOf {
  merchant: MerchantClaims
  rider: RiderClaims
  admin: AdminClaims
  refresh: RefreshClaims
}
