import { createHash } from 'node:crypto'
import type { VerifySessionResponse } from '@svc/contracts/admin/v1/credential_service'
import {
  type AdminClaims,
  type ClaimsOf,
  type Credential,
  isScope,
  type MerchantClaims,
  PERMISSIONS,
  type RiderClaims,
  TOKEN_KINDS,
  type TokenKind,
  verifyToken,
} from '@svc/credentials'
import { ServiceError } from '@svc/errors'
import { decodeProtectedHeader } from 'jose'
import type { Config } from '../config.ts'
import type { Clients } from '../services.ts'
import { suspended } from './api-key-principal.ts'
import type { KeySet } from './key-set.ts'
import { adminLimits, keyLimits, riderLimits, userLimits } from './limits.ts'
import { Lru } from './lru.ts'
import type { Identity, Principal } from './principal.ts'
import { type ConfirmSession, sessionVerdicts } from './session-verdicts.ts'
import { standingOf } from './standing.ts'
import { unauthorized } from './unauthorized.ts'

const MAX_TOKENS = 20_000
const SKEW_SECONDS = 5

export interface TokenReaders {
  merchant(token: string): Promise<Principal>
  rider(token: string): Promise<Principal>
  admin(token: string): Promise<Principal>
  /** The caller that the token names, also when its session has ended; undefined where it is no good token of any class. */
  holder(token: string): Promise<Identity | undefined>
}

/** Reads access tokens: the signature is checked once per token, its credential and session on every request. */
export function tokenReaders(config: Config, credential: Clients['credential'], keys: KeySet): TokenReaders {
  const confirm = sessionVerdicts(credential, config.verdictTtlMs)
  const merchantClaims = claimsReader('merchant', keys, isMerchantClaims)
  const riderClaims = claimsReader('rider', keys, isRiderClaims)
  const adminClaims = claimsReader('admin', keys, isAdminClaims)

  async function identityIn(token: string): Promise<Identity | undefined> {
    switch (kindOf(token)) {
      case 'merchant':
        return merchantIdentity(await merchantClaims(token))
      case 'rider':
        return riderIdentity(await riderClaims(token))
      case 'admin':
        return adminIdentity(await adminClaims(token))
      default:
        return undefined
    }
  }

  return {
    merchant: async (token) => merchantPrincipal(config, confirm, await merchantClaims(token)),
    rider: async (token) => riderPrincipal(config, confirm, await riderClaims(token)),
    admin: async (token) => adminPrincipal(config, confirm, await adminClaims(token)),
    holder: (token) =>
      identityIn(token).catch((error: unknown) => {
        if (error instanceof ServiceError && error.code === 'unauthorized') return undefined
        throw error
      }),
  }
}

/** The class that a token claims to be of; nothing is verified yet. */
function kindOf(token: string): TokenKind | undefined {
  try {
    const { typ } = decodeProtectedHeader(token)
    return (Object.keys(TOKEN_KINDS) as TokenKind[]).find((kind) => TOKEN_KINDS[kind].typ === typ)
  } catch {
    return undefined
  }
}

export const isRiderToken = (token: string): boolean => kindOf(token) === 'rider'

function claimsReader<K extends 'merchant' | 'rider' | 'admin'>(
  kind: K,
  keys: KeySet,
  isWhole: (claims: ClaimsOf[K]) => boolean,
) {
  const verified = new Lru<string, ClaimsOf[K]>(MAX_TOKENS)
  return async (token: string): Promise<ClaimsOf[K]> => {
    const digest = createHash('sha256').update(token).digest('base64')
    const known = verified.get(digest)
    if (known) {
      if (known.exp + SKEW_SECONDS <= Date.now() / 1000) throw unauthorized('expired')
      return known
    }
    const result = await verifyToken(kind, token, keys.keyOf, { skewSeconds: SKEW_SECONDS })
    if (!result.ok) throw unauthorized(result.reason)
    if (!isWhole(result.claims)) throw unauthorized('invalid')
    verified.set(digest, result.claims)
    return result.claims
  }
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''
const isTexts = (value: unknown) => Array.isArray(value) && value.every(isText)

const isMerchantClaims = (claims: MerchantClaims): boolean =>
  claims.role === 'merchant' &&
  [claims.sub, claims.merchant_id, claims.sid].every(isText) &&
  /^(key|user):./.test(claims.credential) &&
  isTexts(claims.scopes) &&
  claims.scopes.every(isScope) &&
  (claims.is_test === null || typeof claims.is_test === 'boolean') &&
  (claims.grantor_merchant_id === undefined ? claims.grant_ep === undefined : isDelegated(claims)) &&
  Number.isInteger(claims.ep)

const isDelegated = ({ grantor_merchant_id, grant_ep }: MerchantClaims): boolean =>
  isText(grantor_merchant_id) && Number.isInteger(grant_ep)

const isRiderClaims = (claims: RiderClaims): boolean =>
  claims.role === 'rider' &&
  [claims.sub, claims.sid].every(isText) &&
  claims.credential === `rider:${claims.sub}` &&
  (claims.merchant_id === undefined || isText(claims.merchant_id)) &&
  isTexts(claims.scopes) &&
  typeof claims.is_test === 'boolean' &&
  (claims.auth_time === undefined || Number.isInteger(claims.auth_time)) &&
  (claims.minted_by === undefined ? claims.mint_ep === undefined : isMint(claims)) &&
  Number.isInteger(claims.ep)

const isMint = ({ minted_by = '', mint_ep, auth_time }: RiderClaims): boolean =>
  /^key:./.test(minted_by) && Number.isInteger(mint_ep) && auth_time === undefined

const isAdminClaims = (claims: AdminClaims): boolean =>
  claims.role === 'admin' &&
  isText(claims.sub) &&
  /^operator:./.test(claims.credential) &&
  isTexts(claims.permissions) &&
  claims.permissions.every((permission) => (PERMISSIONS as readonly string[]).includes(permission)) &&
  Number.isInteger(claims.ep)

function merchantIdentity({ credential, ...claims }: MerchantClaims): Identity {
  const [kind, id = ''] = credential.split(':')
  return {
    kind: 'merchant',
    merchantId: claims.merchant_id,
    isTest: claims.is_test,
    scopes: claims.scopes,
    actor: { type: kind === 'key' ? 'merchant_key' : 'merchant_user', id },
    credential,
    credentialEpoch: claims.ep,
    sessionId: claims.sid,
  }
}

function merchantPrincipal(config: Config, confirm: ConfirmSession, claims: MerchantClaims): Principal {
  const [kind, id = ''] = claims.credential.split(':')
  const limits =
    kind === 'key'
      ? keyLimits(config, { keyId: id, merchantId: claims.merchant_id, isTest: claims.is_test === true })
      : userLimits(config, id)
  const { grantor_merchant_id, grant_ep } = claims
  return {
    merchantId: claims.merchant_id,
    ...(grantor_merchant_id !== undefined && {
      grantor: { merchantId: grantor_merchant_id, epoch: grant_ep as number },
    }),
    limits,
    credentials: [claims.credential as Credential, `session:${claims.sid}`],
    async confirm(epochs): Promise<Identity> {
      const answer = await confirm(claims, epochs)
      const { merchantId, standing } = standingOf(answer.standing)
      if (merchantId !== claims.merchant_id) throw unauthorized('invalid')
      if (answer.verdict === 'suspended') throw suspended(standing)
      return { ...merchantIdentity(claims), ...madeBy(answer), standing }
    },
  }
}

const riderIdentity = (claims: RiderClaims): Identity => ({
  kind: 'rider',
  ...(claims.merchant_id !== undefined && { merchantId: claims.merchant_id }),
  isTest: claims.is_test,
  scopes: claims.scopes,
  actor: { type: 'rider', id: claims.sub },
  credential: claims.credential,
  sessionId: claims.sid,
  ...(claims.auth_time !== undefined && { codeLoginAt: claims.auth_time }),
})

/** Whether an operator has made the key behind the token. */
const madeBy = ({ made_by_operator }: VerifySessionResponse): Pick<Identity, 'madeByOperator'> =>
  made_by_operator ? { madeByOperator: true } : {}

/** The key that minted the token, as it stands now. */
const minterOf = ({ minted_by }: RiderClaims, answer: VerifySessionResponse): Pick<Identity, 'mintedBy'> =>
  minted_by === undefined
    ? {}
    : { mintedBy: { credential: minted_by, scopes: answer.minter_scopes, riderLogsIn: answer.rider_logs_in } }

function riderPrincipal(config: Config, confirm: ConfirmSession, claims: RiderClaims): Principal {
  return {
    limits: riderLimits(config, claims.sub),
    credentials: [
      claims.credential as Credential,
      `session:${claims.sid}`,
      ...(claims.minted_by === undefined ? [] : [claims.minted_by as Credential]),
    ],
    async confirm(epochs): Promise<Identity> {
      const answer = await confirm(claims, epochs)
      if (answer.verdict !== 'active') throw unauthorized('revoked')
      const identity = { ...riderIdentity(claims), ...minterOf(claims, answer), ...madeBy(answer) }
      if (claims.merchant_id === undefined) return identity
      const { merchantId, standing } = standingOf(answer.standing)
      if (merchantId !== claims.merchant_id) throw unauthorized('invalid')
      return { ...identity, standing }
    },
  }
}

const adminIdentity = (claims: AdminClaims): Identity => ({
  kind: 'admin',
  isTest: null,
  scopes: [],
  permissions: claims.permissions,
  actor: { type: 'admin', id: claims.sub },
  credential: claims.credential,
  credentialEpoch: claims.ep,
})

function adminPrincipal(config: Config, confirm: ConfirmSession, claims: AdminClaims): Principal {
  return {
    limits: adminLimits(config, claims.credential),
    credentials: [claims.credential as Credential],
    async confirm(epochs): Promise<Identity> {
      const answer = await confirm({ ...claims, sid: '' }, epochs)
      if (answer.verdict !== 'active') throw unauthorized('revoked')
      return adminIdentity(claims)
    },
  }
}
