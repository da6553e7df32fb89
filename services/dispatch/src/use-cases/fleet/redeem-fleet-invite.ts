import { ServiceError } from '@svc/errors'
import type { By } from '@svc/grpc'
import type { Tx } from '@svc/transact'
import type { Context } from '../../context.ts'
import { carriedOrders } from '../../db/active-riders.ts'
import { lockTypedCode, redeemCode } from '../../db/invite-codes.ts'
import { changeRider, createRider, lockRiderByPhone, type NewRider } from '../../db/riders.ts'
import { openRevocation, type Revocation } from '../../db/token-revocations.ts'
import { isActive, typedCode } from '../../domain/invite.ts'
import { isSandbox, joinedFleet, type Rider } from '../../domain/rider.ts'
import { endTokensOrLater } from '../riders/end-tokens.ts'

type Joiner = Pick<NewRider, 'name' | 'phone' | 'vehicleType'>

interface Joined {
  rider: Rider
  /** Of a rider that was known before. */
  revocation?: Revocation
}

/**
 * A rider joins the fleet of the code, which is spent by it: of many at once one. null for a code that is unknown,
 * expired, revoked or used. A rider of this fleet stays in it, and the code stays valid.
 */
export async function redeemFleetInvite(
  ctx: Context,
  _by: By,
  { code: typed, ...joiner }: Joiner & { code: string },
): Promise<Rider | null> {
  const joined = await ctx.transact('every tenant', async (tx): Promise<Joined | null> => {
    const code = await lockTypedCode(tx, typedCode(typed))
    if (!code || !isActive(code, tx.now)) return null
    const result = await join(tx, code.merchantId, joiner)
    if (result.isNew) await redeemCode(tx, code.id, result.rider.id)
    return result
  })
  if (joined?.revocation) await endTokensOrLater(ctx, joined.revocation)
  return joined?.rider ?? null
}

async function join(tx: Tx, merchantId: string, joiner: Joiner): Promise<Joined & { isNew: boolean }> {
  const created = await createRider(tx, { ...joiner, riderType: 'merchant_fleet', merchantId, city: null })
  if (created) return { rider: created, isNew: true }
  const known = (await lockRiderByPhone(tx, joiner.phone))!
  if (known.merchantId === merchantId) return { rider: known, isNew: false }
  if (known.merchantId !== null || isSandbox(known.id)) throw new ServiceError('phone_in_use')
  // A rider who carries an order finishes it as the rider it is.
  if ((await carriedOrders(tx, known.id, 'every merchant')).length > 0) throw new ServiceError('active_order')
  const rider = await changeRider(tx, known.id, joinedFleet(merchantId))
  return { rider, isNew: true, revocation: await openRevocation(tx, known.id) }
}
