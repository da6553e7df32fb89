import type { RedeemFleetInviteRequest } from '@svc/contracts/dispatch/v1/rider_service'
import { ServiceError } from '@svc/errors'
import type { Tx } from '@svc/outbox'
import type { Context } from '../../context.ts'
import { lockTypedCode } from '../../db/invite-codes.ts'
import { lockRiderByPhone, type NewRider } from '../../db/riders.ts'
import { isActive, typedCode } from '../../domain/invite.ts'
import { isSandbox, joinedFleet, type Rider, requirePhone } from '../../domain/rider.ts'
import { requireText, vehicleTypeOf } from '../../domain/rider-input.ts'
import { changeRider, createRider } from '../riders/change-rider.ts'
import { endTokensOrLater, intendRevocation, type Revocation } from '../riders/end-tokens.ts'

type Given = Pick<NewRider, 'name' | 'phone' | 'vehicleType'>
interface Joined {
  rider: Rider
  /** Of someone who was a rider before. */
  revocation?: Revocation
}

/**
 * A rider joins the fleet of the code, which is spent by it: of many at once one. null for a code that is unknown,
 * expired, revoked or used. Who is in this fleet already stays, and the code with it.
 */
export async function redeemInvite(ctx: Context, request: RedeemFleetInviteRequest): Promise<Rider | null> {
  const given = {
    name: requireText('name', request.name, 200),
    phone: requirePhone(request.phone),
    vehicleType: vehicleTypeOf(request.vehicle_type),
  }
  const joined = await ctx.transact('every tenant', async (tx): Promise<Joined | null> => {
    const code = await lockTypedCode(tx, typedCode(request.code))
    if (!code || !isActive(code, tx.now)) return null
    const result = await join(tx, code.merchantId, given)
    if (result.isNew) {
      await tx.sql('UPDATE invite_codes SET redeemed_at = $2, redeemed_by = $3 WHERE id = $1', [
        code.id,
        tx.now,
        result.rider.id,
      ])
    }
    return result
  })
  if (joined?.revocation) await endTokensOrLater(ctx, joined.revocation)
  return joined?.rider ?? null
}

async function join(tx: Tx, merchantId: string, given: Given): Promise<Joined & { isNew: boolean }> {
  const created = await createRider(tx, { ...given, riderType: 'merchant_fleet', merchantId, city: null })
  if (created) return { rider: created, isNew: true }
  const known = (await lockRiderByPhone(tx, given.phone))!
  if (known.merchantId === merchantId) return { rider: known, isNew: false }
  if (known.merchantId !== null || isSandbox(known.id)) throw new ServiceError('phone_in_use')
  await assertIdle(tx, known.id)
  const rider = await changeRider(tx, known.id, joinedFleet(merchantId))
  return { rider, isNew: true, revocation: await intendRevocation(tx, known.id) }
}

/** Whoever carries an order finishes it as who he is. */
async function assertIdle(tx: Tx, riderId: string): Promise<void> {
  const { rows } = await tx.sql('SELECT 1 FROM rider_active WHERE rider_id = $1 LIMIT 1', [riderId])
  if (rows.length > 0) throw new ServiceError('active_order')
}
