import { randomUUID } from 'node:crypto'
import type {
  CredentialServiceService,
  VerifyApiKeyRequest,
  VerifyApiKeyResponse,
} from '@svc/contracts/admin/v1/credential_service'
import type { WorkspaceGrantServiceService } from '@svc/contracts/admin/v1/workspace_grant_service'
import { mintApiKey, PERMISSIONS, SCOPES, type SigningKey, signToken } from '@svc/credentials'
import { ServiceError } from '@svc/errors'
import type { Handlers } from '@svc/grpc'
import { exportJWK, generateKeyPair } from 'jose'
import type { Auth } from '../src/http/route.ts'
import { replies } from '../src/samples/replies.ts'

interface Entry {
  scopes: readonly string[]
  isTest: boolean
  epoch: number
  verdict: 'active' | 'revoked' | 'suspended'
  sha256: string
}

/** What one merchant may do for another. */
export interface Granted {
  scopes: readonly string[]
  isTest: boolean
  epoch: number
  isActive: boolean
  mayTradeLive: boolean
}

/** The credentials that exist behind the upstream of a test. */
export interface Vault {
  merchantId: string
  riderId: string
  keys: Map<string, Entry>
  /** To the vault's merchant, by who gave them. */
  grants: Map<string, Granted>
  epochs: Map<string, number>
  /** Sessions that are no more. */
  revokedSessions: Set<string>
  /** The keys that minted riders' tokens, by session. */
  minters: Map<string, Entry>
  ridersLogIn: boolean
  jwks: string
  /** What its tokens are signed with. */
  signing: SigningKey
  /** A new key's text. */
  key(options?: { scopes?: readonly string[]; isTest?: boolean }): string
  entry(keyText: string): Entry & { keyId: string }
  login(claims?: object): Promise<string>
  keyToken(keyText: string): Promise<string>
  /** A rider's token, bound to no merchant unless the claims say so. */
  rider(claims?: object): Promise<string>
  operator(permissions?: readonly string[], claims?: object): Promise<string>
}

export async function createVault(): Promise<Vault> {
  const { publicKey, privateKey } = await generateKeyPair('EdDSA', { extractable: true })
  const signing = { kid: 'test', privateKey }
  const merchantId = randomUUID()
  const keys = new Map<string, Entry>()
  const epochs = new Map<string, number>()
  const keyIdOf = (text: string) => text.split('_')[2] ?? ''
  const times = () => {
    const iat = Math.floor(Date.now() / 1000)
    return { jti: randomUUID(), iat, exp: iat + 600 }
  }
  const merchantClaims = { merchant_id: merchantId, scopes: [...SCOPES], role: 'merchant' as const, sid: randomUUID() }
  const user = randomUUID()
  const riderId = randomUUID()
  const operator = randomUUID()
  return {
    merchantId,
    riderId,
    keys,
    grants: new Map(),
    epochs,
    revokedSessions: new Set(),
    minters: new Map(),
    ridersLogIn: false,
    jwks: JSON.stringify({ keys: [{ ...(await exportJWK(publicKey)), kid: 'test', alg: 'EdDSA', use: 'sig' }] }),
    signing,
    key({ scopes = SCOPES, isTest = true } = {}) {
      const { text, keyId, secretSha256 } = mintApiKey({ isTest })
      keys.set(keyId, { scopes, isTest, epoch: 1, verdict: 'active', sha256: secretSha256.toString('hex') })
      return text
    },
    entry: (text) => Object.assign(keys.get(keyIdOf(text)) as Entry, { keyId: keyIdOf(text) }),
    login: (claims) =>
      signToken(
        'merchant',
        { ...merchantClaims, ...times(), sub: user, credential: `user:${user}`, is_test: null, ep: 1, ...claims },
        signing,
      ),
    keyToken: (text) =>
      signToken(
        'merchant',
        {
          ...merchantClaims,
          ...times(),
          sub: keyIdOf(text),
          key_id: keyIdOf(text),
          credential: `key:${keyIdOf(text)}`,
          is_test: text.startsWith('svc_test_'),
          ep: 1,
        },
        signing,
      ),
    rider: (claims) =>
      signToken(
        'rider',
        {
          ...times(),
          sub: riderId,
          role: 'rider',
          scopes: ['riders:location'],
          is_test: false,
          credential: `rider:${riderId}`,
          ep: 1,
          sid: randomUUID(),
          ...claims,
        },
        signing,
      ),
    operator: (permissions = PERMISSIONS, claims = {}) =>
      signToken(
        'admin',
        {
          ...times(),
          sub: operator,
          role: 'admin',
          permissions: [...permissions],
          credential: `operator:${operator}`,
          ep: 1,
          auth: 'rbac',
          ...claims,
        },
        signing,
      ),
  }
}

/** A credential with which a route may be called; undefined where none is needed. */
export async function goodToken(vault: Vault, auth: Auth): Promise<string | undefined> {
  switch (auth.kind) {
    case 'merchant':
      return auth.loginOnly ? vault.login() : vault.key()
    case 'merchant_or_rider':
      return vault.key()
    case 'rider':
      return vault.rider()
    case 'session':
      return vault.login()
    case 'admin':
      return vault.operator()
    default:
      return undefined
  }
}

/** Credentials that are good elsewhere, and not at this route. */
export async function tokensOfOtherClasses(vault: Vault, auth: Auth): Promise<string[]> {
  const [key, login, rider, operator] = [vault.key(), await vault.login(), await vault.rider(), await vault.operator()]
  switch (auth.kind) {
    case 'merchant':
      return auth.keyOnly ? [login, rider, operator] : [rider, operator]
    case 'merchant_or_rider':
      return [operator]
    case 'rider':
      return [key, login, operator]
    case 'admin':
      return [key, login, rider]
    default:
      return [key]
  }
}

/** The rpcs that judge credentials, over what the vault holds. */
export function credentialHandlers(vault: Vault): Partial<Handlers<typeof CredentialServiceService>> {
  const standing = {
    merchant_id: vault.merchantId,
    billing_status: 'active',
    kyb_status: 'verified',
    business_approval_status: 'approved',
  }
  const judge = ({ key_id, secret_sha256 }: VerifyApiKeyRequest): VerifyApiKeyResponse => {
    const known = vault.keys.get(key_id)
    const matches = known?.sha256 === Buffer.from(secret_sha256).toString('hex')
    return {
      verdict: known && matches ? known.verdict : 'invalid',
      key_id,
      is_test: known?.isTest ?? false,
      scopes: [...(known?.scopes ?? [])],
      enterprise_tier: false,
      made_by_operator: false,
      epoch: known?.epoch ?? 0,
      standing,
    }
  }
  return {
    verifyApiKey: async (key) => judge(key),
    verifyApiKeys: async ({ keys }) => ({ verdicts: keys.map(judge) }),
    async verifySession({ credential, session_id }) {
      const minter = vault.minters.get(session_id)
      const minted = {
        ...(minter && { minter_epoch: minter.epoch }),
        minter_scopes: [...(minter?.scopes ?? [])],
        rider_logs_in: vault.ridersLogIn,
        made_by_operator: false,
      }
      const key = vault.keys.get(credential.replace('key:', ''))
      const epoch = key?.epoch ?? vault.epochs.get(credential) ?? 1
      if (vault.revokedSessions.has(session_id))
        return { ...minted, verdict: 'revoked', epoch, session_epoch: 1, standing }
      return { ...minted, verdict: key?.verdict ?? 'active', epoch, session_epoch: 0, standing }
    },
    async getJwks() {
      return { jwks_json: vault.jwks }
    },
    exchangeApiKey: async () => replies['exchangeApiKey'] as never,
    logIn: async () => replies['logIn'] as never,
    logOut: async () => ({}),
    refreshToken: async () => replies['refreshToken'] as never,
  }
}

export function grantHandlers(vault: Vault): Partial<Handlers<typeof WorkspaceGrantServiceService>> {
  const grantOf = (grantor: string, grantee: string) =>
    grantee === vault.merchantId ? vault.grants.get(grantor) : undefined
  return {
    async verifyWorkspaceGrant({ grantor_merchant_id, grantee_merchant_id }) {
      const grant = grantOf(grantor_merchant_id, grantee_merchant_id)
      if (!grant?.isActive)
        return {
          verdict: 'none',
          scopes: [],
          is_test: false,
          epoch: grant?.epoch ?? 0,
          may_trade_live: false,
          standing: undefined,
        }
      return {
        verdict: 'active',
        scopes: [...grant.scopes],
        is_test: grant.isTest,
        epoch: grant.epoch,
        may_trade_live: grant.mayTradeLive,
        standing: {
          merchant_id: grantor_merchant_id,
          billing_status: 'trialing',
          kyb_status: grant.mayTradeLive ? 'verified' : 'pending_review',
          business_approval_status: grant.mayTradeLive ? 'approved' : 'none',
        },
      }
    },
    async recordDelegatedAct({ grantor_merchant_id, grantee_merchant_id, epoch }) {
      const grant = grantOf(grantor_merchant_id, grantee_merchant_id)
      if (!grant?.isActive || grant.epoch !== epoch)
        throw new ServiceError('forbidden', { details: { reason: 'no_active_grant' } })
      return {}
    },
  }
}
