import { randomUUID } from 'node:crypto'
import { mintApiKey, PERMISSIONS, SANDBOX_RIDER, SCOPES, signToken } from '@svc/credentials'
import { createVault, type Granted, type Vault } from './vault.ts'

/** Whom a route is for. */
export type Place =
  | 'key'
  | 'login'
  | 'merchant'
  | 'merchant or rider'
  | 'rider'
  | 'operator'
  | 'session'
  | 'public'
  | 'signed'

/** What becomes of a request; `served` is what the route says when nothing is wrong with its sender. */
export type Outcome =
  | 'served'
  | 'missing'
  | 'invalid'
  | 'expired'
  | 'revoked'
  | 'suspended'
  | 'login required'
  | 'lacks scope'
  | 'lacks permission'
  | 'live in sandbox'
  | 'not in person'
  | 'no grant'
  | 'no common scope'
  | 'names two grantors'
  | 'names no merchant'

interface Presented {
  token?: string
  headers?: Record<string, string>
}

export interface CredentialKind {
  name: string
  present(vault: Vault): Presented | Promise<Presented>
  /** What it is told, by whom the route is for; elsewhere that it is invalid. Public and signed routes ask nobody for one. */
  at: Partial<Record<Exclude<Place, 'public' | 'signed'>, Outcome>>
  /** It holds no scope and no permission. */
  isBare?: true
  isLive?: true
  actsForAnother?: true
}

const everywhere = (outcome: Outcome): CredentialKind['at'] => ({
  key: outcome,
  login: outcome,
  merchant: outcome,
  'merchant or rider': outcome,
  rider: outcome,
  operator: outcome,
  session: outcome,
})

/** Of an API key: a log-in is refused what it is, everything else by what became of it. */
const ofKey = (outcome: Outcome): CredentialKind['at'] => ({
  key: outcome,
  login: outcome === 'served' ? 'login required' : outcome,
  merchant: outcome,
  'merchant or rider': outcome,
})

/** Of a merchant's token. Who holds one may end its session, whatever became of it. */
const ofToken = (outcome: Outcome, atLogin = outcome): CredentialKind['at'] => ({
  login: atLogin,
  merchant: outcome,
  'merchant or rider': outcome,
  session: 'served',
})

const ofRider = (outcome: Outcome): CredentialKind['at'] => ({
  rider: outcome,
  'merchant or rider': outcome,
  session: 'served',
})

const ofOperator = (outcome: Outcome): CredentialKind['at'] => ({ operator: outcome, session: 'served' })

const past = () => Math.floor(Date.now() / 1000) - 3600

function keyThatIs(vault: Vault, verdict: 'revoked' | 'suspended'): string {
  const text = vault.key({ isTest: false })
  const { keyId } = vault.entry(text)
  Object.assign(vault.keys.get(keyId) as object, { verdict, ...(verdict === 'revoked' && { epoch: 2 }) })
  return text
}

/** A key whose secret was replaced. */
function rotatedAway(vault: Vault): string {
  const text = vault.key()
  const { keyId } = vault.entry(text)
  const { secretSha256 } = mintApiKey({ isTest: true, keyId })
  Object.assign(vault.keys.get(keyId) as object, { sha256: secretSha256.toString('hex'), epoch: 2 })
  return text
}

/** A merchant that lets the vault's merchant act for it, or did. */
function grantor(vault: Vault, grant: Partial<Granted> = {}): string {
  const id = randomUUID()
  vault.grants.set(id, { scopes: SCOPES, isTest: false, epoch: 1, isActive: true, mayTradeLive: true, ...grant })
  return id
}

const actAs = (id: string) => ({ 'x-service-act-as-merchant': id })
const delegated = (id: string) => ({ grantor_merchant_id: id, grant_ep: 1 })

/** A credential whose epoch has gone on since its token was made. */
function outlived(vault: Vault, kind: 'user' | 'rider' | 'operator') {
  const id = randomUUID()
  vault.epochs.set(`${kind}:${id}`, 2)
  return { sub: id, credential: `${kind}:${id}` }
}

/** A rider's token that a key minted; of that epoch is the key now. */
function minted(vault: Vault, epoch: number) {
  const text = vault.key({ isTest: false })
  const { keyId } = vault.entry(text)
  const sid = randomUUID()
  vault.minters.set(sid, { ...vault.entry(text), epoch })
  return { sid, merchant_id: vault.merchantId, minted_by: `key:${keyId}`, mint_ep: 1 }
}

const bearer = (token: string): Presented => ({ token })

const KEYS: readonly CredentialKind[] = [
  { name: 'a test key', present: (vault) => bearer(vault.key()), at: ofKey('served') },
  {
    name: 'a test key in X-API-Key',
    present: (vault) => ({ headers: { 'x-api-key': vault.key() } }),
    // There a key is no way to name a session.
    at: { ...ofKey('served'), session: 'missing' },
  },
  { name: 'a live key', present: (vault) => bearer(vault.key({ isTest: false })), at: ofKey('served'), isLive: true },
  {
    name: 'a key without scopes',
    present: (vault) => bearer(vault.key({ scopes: [] })),
    at: ofKey('served'),
    isBare: true,
  },
  { name: 'a key cut short', present: (vault) => bearer(vault.key().slice(0, -1)), at: {} },
  { name: 'a key that nobody has', present: () => bearer(mintApiKey({ isTest: true }).text), at: {} },
  { name: 'a key whose secret was rotated', present: (vault) => bearer(rotatedAway(vault)), at: {} },
  { name: 'a revoked key', present: (vault) => bearer(keyThatIs(vault, 'revoked')), at: ofKey('revoked') },
  {
    name: 'a live key of a suspended merchant',
    present: (vault) => bearer(keyThatIs(vault, 'suspended')),
    at: ofKey('suspended'),
  },
]

const MERCHANT_TOKENS: readonly CredentialKind[] = [
  { name: 'the token of a log-in', present: async (vault) => bearer(await vault.login()), at: ofToken('served') },
  {
    name: 'the token of a test key',
    present: async (vault) => bearer(await vault.keyToken(vault.key())),
    at: ofToken('served', 'login required'),
  },
  {
    name: 'the token of a live key',
    present: async (vault) => bearer(await vault.keyToken(vault.key({ isTest: false }))),
    at: ofToken('served', 'login required'),
    isLive: true,
  },
  {
    name: 'the token of a revoked key',
    present: async (vault) => bearer(await vault.keyToken(keyThatIs(vault, 'revoked'))),
    at: ofToken('revoked'),
  },
  {
    name: 'the token of a live key of a suspended merchant',
    present: async (vault) => bearer(await vault.keyToken(keyThatIs(vault, 'suspended'))),
    at: ofToken('suspended'),
  },
  {
    name: 'the token of a log-in that has ended',
    async present(vault) {
      const sid = randomUUID()
      vault.revokedSessions.add(sid)
      return bearer(await vault.login({ sid }))
    },
    at: ofToken('revoked'),
  },
  {
    name: 'the token of a user from before the password changed',
    present: async (vault) => bearer(await vault.login(outlived(vault, 'user'))),
    at: ofToken('revoked'),
  },
  {
    name: 'an expired token of a log-in',
    present: async (vault) => bearer(await vault.login({ exp: past() })),
    at: { login: 'expired', merchant: 'expired', 'merchant or rider': 'expired' },
  },
  {
    name: 'a refresh token',
    async present({ merchantId, signing }) {
      const iat = Math.floor(Date.now() / 1000)
      const claims = { sub: randomUUID(), jti: randomUUID(), iat, exp: iat + 600, sid: randomUUID(), gen: 1 }
      return bearer(await signToken('refresh', { ...claims, merchant_id: merchantId }, signing))
    },
    at: {},
  },
]

const ACTING: readonly CredentialKind[] = [
  {
    name: 'a key that acts by a grant',
    present: (vault) => ({ token: vault.key(), headers: actAs(grantor(vault)) }),
    at: ofKey('served'),
    actsForAnother: true,
  },
  {
    name: 'a log-in that acts by a grant',
    present: async (vault) => ({ token: await vault.login(), headers: actAs(grantor(vault)) }),
    at: ofToken('served'),
    actsForAnother: true,
  },
  {
    name: 'a delegated token',
    present: async (vault) => bearer(await vault.login(delegated(grantor(vault)))),
    at: ofToken('served'),
    actsForAnother: true,
  },
  {
    name: 'a delegated token of a revoked grant',
    present: async (vault) => bearer(await vault.login(delegated(grantor(vault, { isActive: false, epoch: 2 })))),
    at: ofToken('revoked'),
  },
  {
    name: 'a delegated token of a grant that was given anew',
    present: async (vault) => bearer(await vault.login(delegated(grantor(vault, { epoch: 3 })))),
    at: ofToken('revoked'),
  },
  {
    name: 'a delegated token that names a grantor besides',
    async present(vault) {
      const id = grantor(vault)
      return { token: await vault.login(delegated(id)), headers: actAs(id) }
    },
    at: ofToken('names two grantors'),
  },
  {
    name: 'a key that acts without a grant',
    present: (vault) => ({ token: vault.key(), headers: actAs(randomUUID()) }),
    at: ofKey('no grant'),
  },
  {
    name: 'a key that acts by a revoked grant',
    present: (vault) => ({ token: vault.key(), headers: actAs(grantor(vault, { isActive: false, epoch: 2 })) }),
    at: ofKey('no grant'),
  },
  {
    name: 'a live key that acts by a grant of the sandbox',
    present: (vault) => ({ token: vault.key({ isTest: false }), headers: actAs(grantor(vault, { isTest: true })) }),
    at: ofKey('no grant'),
  },
  {
    name: 'a live key that acts for a merchant that may not trade live',
    present: (vault) => ({
      token: vault.key({ isTest: false }),
      headers: actAs(grantor(vault, { mayTradeLive: false })),
    }),
    at: ofKey('suspended'),
  },
  {
    name: 'a key that acts by a grant of scopes it lacks',
    present: (vault) => ({
      token: vault.key({ scopes: ['orders:read'] }),
      headers: actAs(grantor(vault, { scopes: ['webhooks:manage'] })),
    }),
    at: ofKey('no common scope'),
  },
  {
    name: 'a key that acts for what is no merchant',
    present: (vault) => ({ token: vault.key(), headers: actAs('not-a-uuid') }),
    at: ofKey('names no merchant'),
  },
]

const RIDERS: readonly CredentialKind[] = [
  { name: 'the token of a rider', present: async (vault) => bearer(await vault.rider()), at: ofRider('served') },
  {
    name: 'the token of a rider of a fleet',
    present: async (vault) => bearer(await vault.rider({ merchant_id: vault.merchantId })),
    at: ofRider('served'),
  },
  {
    name: 'the token of the sandbox rider',
    present: async (vault) =>
      bearer(await vault.rider({ sub: SANDBOX_RIDER.id, credential: `rider:${SANDBOX_RIDER.id}`, is_test: true })),
    at: ofRider('served'),
  },
  {
    name: 'the token of a rider that a key minted',
    present: async (vault) => bearer(await vault.rider(minted(vault, 1))),
    at: ofRider('served'),
  },
  {
    name: 'the token of a rider that a revoked key minted',
    present: async (vault) => bearer(await vault.rider(minted(vault, 2))),
    at: ofRider('revoked'),
  },
  {
    name: 'the token of a revoked rider',
    present: async (vault) => bearer(await vault.rider(outlived(vault, 'rider'))),
    at: ofRider('revoked'),
  },
  {
    name: 'an expired token of a rider',
    present: async (vault) => bearer(await vault.rider({ exp: past() })),
    at: { rider: 'expired', 'merchant or rider': 'expired' },
  },
]

const OPERATORS: readonly CredentialKind[] = [
  {
    name: 'the token of an operator',
    present: async (vault) => bearer(await vault.operator()),
    at: ofOperator('served'),
  },
  {
    name: 'the token of the static token',
    present: async (vault) =>
      bearer(await vault.operator(PERMISSIONS, { sub: 'static', credential: 'operator:static', auth: 'static' })),
    at: ofOperator('served'),
  },
  {
    name: 'the token of an operator without a role',
    present: async (vault) => bearer(await vault.operator([])),
    at: ofOperator('served'),
    isBare: true,
  },
  {
    name: 'the token of an operator whose identity or role was taken away',
    present: async (vault) => bearer(await vault.operator(PERMISSIONS, outlived(vault, 'operator'))),
    at: ofOperator('revoked'),
  },
  {
    name: 'an expired token of an operator',
    present: async (vault) => bearer(await vault.operator(PERMISSIONS, { exp: past() })),
    at: { operator: 'expired' },
  },
]

const FOREIGN: readonly CredentialKind[] = [
  { name: 'no credential', present: () => ({}), at: everywhere('missing') },
  {
    name: 'a name and a password',
    present: () => ({ headers: { authorization: `Basic ${btoa('owner@example.com:password')}` } }),
    at: {},
  },
  { name: 'what is no credential', present: () => bearer('not-a-credential'), at: {} },
  { name: "a webhook's secret", present: () => bearer(`whsec_${'a'.repeat(32)}`), at: {} },
  { name: 'the bearer of a provisioning service', present: () => bearer('sixteen-or-more-characters'), at: {} },
  ...(['login', 'rider', 'operator'] as const).map((of) => ({
    name: `the token (${of}) of another installation`,
    present: async () => bearer(await (await createVault())[of]()),
    at: {},
  })),
]

/** Everything that somebody may show, with what each place answers to it. */
export const CREDENTIAL_KINDS: readonly CredentialKind[] = [
  ...FOREIGN,
  ...KEYS,
  ...MERCHANT_TOKENS,
  ...ACTING,
  ...RIDERS,
  ...OPERATORS,
]
