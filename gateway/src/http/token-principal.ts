import { createHash } from 'node:crypto'
import {
  type AdminClaims,
  type ClaimsOf,
  type Credential,
  isScope,
  type MerchantClaims,
  PERMISSIONS,
  verifyToken,
} from '@svc/credentials'
import type { Config } from '../config.ts'
import type { Clients } from '../services.ts'
import { suspended } from './api-key-principal.ts'
import type { KeySet } from './key-set.ts'
import { adminLimits, keyLimits, userLimits } from './limits.ts'
import { Lru } from './lru.ts'
import type { Identity, Principal } from './principal.ts'
import { type ConfirmSession, sessionVerdicts } from './session-verdicts.ts'
import { standingOf } from './standing.ts'
import { unauthorized } from './unauthorized.ts'

const MAX_TOKENS = 20_000
const SKEW_SECONDS = 5

export interface TokenReaders {
  merchant(token: string): Promise<Principal>
  admin(token: string): Promise<Principal>
}

/** Reads access tokens: the signature is checked once per token, its credential and session on every request. */
export function tokenReaders(config: Config, credential: Clients['credential'], keys: KeySet): TokenReaders {
  const confirm = sessionVerdicts(credential, config.verdictTtlMs)
  const merchantClaims = claimsReader('merchant', keys, isMerchantClaims)
  const adminClaims = claimsReader('admin', keys, isAdminClaims)
  return {
    merchant: async (token) => merchantPrincipal(config, confirm, await merchantClaims(token)),
    admin: async (token) => adminPrincipal(config, confirm, await adminClaims(token)),
  }
}

function claimsReader<K extends 'merchant' | 'admin'>(
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
  Number.isInteger(claims.ep)

const isAdminClaims = (claims: AdminClaims): boolean =>
  claims.role === 'admin' &&
  isText(claims.sub) &&
  /^operator:./.test(claims.credential) &&
  isTexts(claims.permissions) &&
  claims.permissions.every((permission) => (PERMISSIONS as readonly string[]).includes(permission)) &&
  Number.isInteger(claims.ep)

function merchantPrincipal(config: Config, confirm: ConfirmSession, claims: MerchantClaims): Principal {
  const [kind, id = ''] = claims.credential.split(':')
  const limits = kind === 'key' ? keyLimits(config, id, claims.is_test === true) : userLimits(config, id)
  return {
    limits,
    credentials: [claims.credential as Credential, `session:${claims.sid}`],
    async confirm(epochs): Promise<Identity> {
      const answer = await confirm(claims, epochs)
      const { merchantId, standing } = standingOf(answer.standing)
      if (merchantId !== claims.merchant_id) throw unauthorized('invalid')
      if (answer.verdict === 'suspended') throw suspended(standing)
      return {
        kind: 'merchant',
        merchantId,
        isTest: claims.is_test,
        scopes: claims.scopes,
        actor: { type: kind === 'key' ? 'merchant_key' : 'merchant_user', id },
        credential: claims.credential,
        sessionId: claims.sid,
        standing,
      }
    },
  }
}

function adminPrincipal(config: Config, confirm: ConfirmSession, claims: AdminClaims): Principal {
  return {
    limits: adminLimits(config, claims.credential),
    credentials: [claims.credential as Credential],
    async confirm(epochs): Promise<Identity> {
      const answer = await confirm({ ...claims, sid: '' }, epochs)
      if (answer.verdict !== 'active') throw unauthorized('revoked')
      return {
        kind: 'admin',
        isTest: null,
        scopes: [],
        permissions: claims.permissions,
        actor: { type: 'admin', id: claims.sub },
        credential: claims.credential,
      }
    },
  }
}
