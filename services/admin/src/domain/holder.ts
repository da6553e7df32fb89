import { type MerchantScope, SCOPES } from '@svc/credentials'
import type { ApiKey } from './api-key.ts'
import type { Merchant } from './merchant.ts'
import { unauthorized } from './unauthorized.ts'
import type { User } from './user.ts'

/** What tokens are made from, as it stands now. */
export type Holder = MerchantHolder | RiderHolder

/** A key or a user. */
export interface MerchantHolder {
  credential: `key:${string}` | `user:${string}`
  /** `sub` of its tokens. */
  subject: string
  keyId?: string
  /** Of a key: how many secrets it had before the present one. */
  rotations: number
  merchantId: string
  scopes: readonly MerchantScope[]
  /** null: a login, which sees both environments. */
  isTest: boolean | null
  epoch: number
  verdict: 'active' | 'revoked' | 'suspended'
  /** The merchant for which it acts, and the epoch of the grant by which it does. */
  grantor?: { merchantId: string; epoch: number }
}

/** A rider, in the environment and bound to the merchant that its family names. */
export interface RiderHolder {
  credential: `rider:${string}`
  subject: string
  merchantId: string | null
  scopes: readonly MerchantScope[]
  isTest: boolean
  epoch: number
  /** The key that asks for the family; null where the rider logged in by a code. */
  minter: Minter | null
  verdict: 'active'
}

/** A merchant's key with which a rider's tokens end. */
export interface Minter {
  credential: `key:${string}`
  epoch: number
}

/** An API key as a holder. A live key is suspended while its merchant may not trade live. */
export function keyHolder(key: ApiKey, merchant: Merchant): MerchantHolder {
  const suspended = !key.isTest && !merchant.mayTradeLive()
  return {
    credential: key.credential(),
    subject: key.keyId,
    keyId: key.keyId,
    merchantId: key.merchantId,
    scopes: key.scopes,
    isTest: key.isTest,
    epoch: key.epoch,
    rotations: key.rotations,
    verdict: key.revokedAt ? 'revoked' : suspended ? 'suspended' : 'active',
  }
}

/** A user as a holder: a login has every scope and sees both environments. */
export function userHolder(user: User): MerchantHolder {
  return {
    credential: user.credential(),
    subject: user.id,
    merchantId: user.merchantId,
    scopes: SCOPES,
    isTest: null,
    epoch: user.epoch,
    rotations: 0,
    verdict: 'active',
  }
}

/** A grant as it stands now, as far as tokens stand on it. */
interface Grant {
  scopes: readonly string[]
  is_test: boolean
  epoch: number
  revoked: boolean
}

/** Whether a credential of that environment may act by the grant; null: one of both. */
export const admitsTo = (grant: Grant | undefined, isTest: boolean | null): grant is Grant =>
  grant !== undefined && !grant.revoked && !(grant.is_test && isTest === false)

/** The holder as it acts for another merchant: with the scopes that it and the grant have. */
export const delegated = (holder: MerchantHolder, merchantId: string, { scopes, epoch }: Grant): MerchantHolder => ({
  ...holder,
  scopes: holder.scopes.filter((scope) => scopes.includes(scope)),
  grantor: { merchantId, epoch },
})

/** The rider of a family as a holder. Its credential dies with its epoch alone. */
export function riderHolder(riderId: string, epoch: number, { merchantId, isTest, minter }: RiderFamily): RiderHolder {
  return {
    credential: `rider:${riderId}`,
    subject: riderId,
    merchantId,
    scopes: ['riders:location'],
    isTest,
    epoch,
    minter,
    verdict: 'active',
  }
}

type RiderFamily = Pick<RiderHolder, 'merchantId' | 'isTest' | 'minter'>

/**
 * Throws 401 for a credential that was judged in another epoch than its row is in: its secret was replaced, or it ended,
 * since. Without a judged one, the gateway is of before and does not say.
 */
export function assertSameEpoch({ epoch }: { epoch: number }, judged: number | undefined): void {
  if (judged !== undefined && judged !== epoch) throw unauthorized('revoked')
}

export const isRider = (holder: Holder): holder is RiderHolder => holder.credential.startsWith('rider:')
