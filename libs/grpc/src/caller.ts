import { randomUUID } from 'node:crypto'

export interface Standing {
  billingStatus: string
  kybStatus: string
  businessApprovalStatus: string
}

export interface Actor {
  type: 'merchant_key' | 'merchant_user' | 'rider' | 'admin' | 'system' | 'provider'
  id: string
}

/** Who calls, as the gateway established it. */
export interface Caller {
  kind: 'public' | 'merchant' | 'rider' | 'admin' | 'system'
  /** The effective tenant. */
  merchantId?: string
  /** The environment wall; null is a login on reads, which sees both environments. */
  isTest: boolean | null
  scopes: readonly string[]
  permissions?: readonly string[]
  actor: Actor
  /** The merchant or user on whose behalf the actor acts. */
  actingFor?: string
  /** `key:<id>` or `user:<id>`. */
  credential?: string
  /** The epoch in which the credential was judged. What hands out secrets in its name compares it with the row. */
  credentialEpoch?: number
  sessionId?: string
  /** Of a rider's token: when its rider logged in by a code, in seconds since 1970; absent where a key minted it. */
  codeLoginAt?: number
  /** An operator has been shown the key behind it. */
  madeByOperator?: true
  standing?: Standing
  /** Of a rider's token that a merchant's key minted. */
  mintedBy?: Minter
  requestId: string
  ip?: string
}

/** The key that minted a rider's token. */
export interface Minter {
  credential: string
  /** What the key holds now. */
  scopes: readonly string[]
  /** The rider has logged in by a code, and speaks for itself. */
  riderLogsIn: boolean
}

/** The caller that a service is when it acts by itself: in a worker or a consumer. */
export const systemCaller = (service: string, requestId: string = randomUUID()): Caller => ({
  kind: 'system',
  isTest: null,
  scopes: [],
  actor: { type: 'system', id: service },
  requestId,
})
