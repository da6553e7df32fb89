import { type MerchantScope, SCOPES } from '@svc/credentials'
import type { ApiKey } from './api-key.ts'
import type { Merchant } from './merchant.ts'
import type { User } from './user.ts'

/** What tokens are made from: a key or a user, as it stands now. */
export interface Holder {
  credential: `key:${string}` | `user:${string}`
  /** `sub` of its tokens. */
  subject: string
  keyId?: string
  merchantId: string
  scopes: readonly MerchantScope[]
  /** null: a login, which sees both environments. */
  isTest: boolean | null
  epoch: number
  verdict: 'active' | 'revoked' | 'suspended'
}

/** An API key as a holder. A live key is suspended while its merchant may not trade live. */
export function keyHolder(key: ApiKey, merchant: Merchant): Holder {
  const suspended = !key.isTest && !merchant.mayTradeLive()
  return {
    credential: key.credential(),
    subject: key.keyId,
    keyId: key.keyId,
    merchantId: key.merchantId,
    scopes: key.scopes,
    isTest: key.isTest,
    epoch: key.epoch,
    verdict: key.revokedAt ? 'revoked' : suspended ? 'suspended' : 'active',
  }
}

/** A user as a holder: a login has every scope and sees both environments. */
export function userHolder(user: User): Holder {
  return {
    credential: user.credential(),
    subject: user.id,
    merchantId: user.merchantId,
    scopes: SCOPES,
    isTest: null,
    epoch: user.epoch,
    verdict: 'active',
  }
}
