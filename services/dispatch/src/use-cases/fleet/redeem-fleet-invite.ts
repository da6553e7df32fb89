import { ServiceError } from '@svc/errors'
import type { By } from '@svc/grpc'
import { auditOf, type Tx } from '@svc/transact'
import type { Context } from '../../context.ts'
import { carriedOrders } from '../../db/active-riders.ts'
import { holdCode, lockTypedCode, redeemCode } from '../../db/invite-codes.ts'
import { issueOtp, usingOtp } from '../../db/otps.ts'
import { changeRider, createRider, lockRiderByPhone, type NewRider } from '../../db/riders.ts'
import { holdFrom, type InviteCode, isActive, isHeldFor, isHeldForOther, typedCode } from '../../domain/invite.ts'
import { isSandbox, joinedFleet, type Rider } from '../../domain/rider.ts'
import { inviteSms } from '../../messages/sms.ts'
import { sendOtp } from '../../peers/send-otp.ts'
import { merchantOf } from '../remember-merchant.ts'
import { endTokensOrLater, openTokenEnd } from '../riders/end-tokens.ts'
import { openNotice } from '../riders/send-rider-notice.ts'

type Joiner = Pick<NewRider, 'name' | 'phone' | 'vehicleType'>

interface Redemption extends Joiner {
  code: string
  /** The code that was sent to the phone. */
  otp?: string
}

export interface Membership {
  riderId: string
  merchantId: string
  /** Nothing has changed yet: the phone has yet to say yes. */
  isPending: boolean
}

interface Joined {
  rider: Rider
  /** The rider was known before, and loses the tokens it had. */
  losesTokens?: true
}

/** A rider who has proven its phone, and the code that is held for it. */
interface Pending {
  rider: Rider
  invite: InviteCode
}

/**
 * A rider joins the fleet of the code, which is spent by it: of many at once one. A phone that is not proven joins at
 * once; a proven one is asked first, by a code sent there, and until that comes nothing changes for either side. null for a
 * code that is unknown, expired, revoked, used or held for another rider. A rider of this fleet stays in it, and the code
 * stays valid.
 */
export async function redeemFleetInvite(ctx: Context, by: By, given: Redemption): Promise<Membership | null> {
  const code = typedCode(given.code)
  const begun = await ctx.transact('every tenant', (tx) => begin(tx, by, code, given))
  if (!begun) return null
  if (!('invite' in begun)) return joined(ctx, begun)
  const { invite, rider } = begun
  if (given.otp === undefined) {
    await ask(ctx, begun)
    return { riderId: rider.id, merchantId: invite.merchantId, isPending: true }
  }
  const tried = { purpose: 'fleet_invite', subjectId: invite.id, code: given.otp, phone: given.phone } as const
  const completed = await usingOtp(ctx, tried, (tx) => complete(tx, by, code, given.phone))
  return completed && joined(ctx, completed)
}

async function joined(ctx: Context, { rider, losesTokens }: Joined): Promise<Membership> {
  if (losesTokens) await endTokensOrLater(ctx, rider.id)
  return { riderId: rider.id, merchantId: rider.merchantId as string, isPending: false }
}

async function begin(tx: Tx, by: By, code: string, joiner: Joiner): Promise<Joined | Pending | null> {
  const invite = await lockTypedCode(tx, code)
  if (!invite || !isActive(invite, tx.now)) return null
  const { merchantId } = invite
  const known = await lockRiderByPhone(tx, joiner.phone)
  if (isHeldForOther(invite, known?.id ?? null, tx.now)) return null
  if (!known) {
    const { name, phone, vehicleType } = joiner
    const made = await createRider(tx, {
      name,
      phone,
      vehicleType,
      riderType: 'merchant_fleet',
      merchantId,
      city: null,
    })
    if (made) return { rider: await remember(tx, by, invite, made) }
  }
  const rider = known ?? (await lockRiderByPhone(tx, joiner.phone))!
  if (rider.merchantId === merchantId) return { rider }
  await assertFree(tx, rider)
  if (!rider.phoneVerifiedAt) return join(tx, by, invite, rider)
  if (!isHeldFor(invite, rider.id, tx.now)) await holdCode(tx, invite.id, rider.id, holdFrom(tx.now))
  return { rider, invite }
}

/** Sends the code that names the business. A repeat within the cooldown sends nothing and is told the same. */
async function ask(ctx: Context, { rider, invite }: Pending): Promise<void> {
  ctx.messenger.assertConfigured()
  const { name } = await merchantOf(ctx, invite.merchantId)
  const issued = await ctx
    .transact('every tenant', (tx) =>
      issueOtp(tx, ctx.config, {
        purpose: 'fleet_invite',
        subjectId: invite.id,
        phone: rider.phone,
        merchantId: invite.merchantId,
      }),
    )
    .catch((error: unknown) => {
      if (error instanceof ServiceError && error.code === 'otp_cooldown') return null
      throw error
    })
  if (issued) await sendOtp(ctx, issued, { channel: 'rider_phone', riderId: rider.id, text: inviteSms(name) })
}

/** The phone has said yes: the code that went there was typed in. */
async function complete(tx: Tx, by: By, code: string, phone: string): Promise<Joined | null> {
  const invite = await lockTypedCode(tx, code)
  const rider = await lockRiderByPhone(tx, phone)
  if (!invite || !rider || !isActive(invite, tx.now) || !isHeldFor(invite, rider.id, tx.now)) return null
  await assertFree(tx, rider)
  return join(tx, by, invite, rider)
}

/** Throws for a rider of another fleet, for that of the sandbox, and for one who carries an order and finishes it as what it is. */
async function assertFree(tx: Tx, { id, merchantId }: Rider): Promise<void> {
  if (merchantId !== null || isSandbox(id)) throw new ServiceError('phone_in_use')
  if ((await carriedOrders(tx, id, 'every merchant')).length > 0) throw new ServiceError('active_order')
}

async function join(tx: Tx, by: By, invite: InviteCode, known: Rider): Promise<Joined> {
  const rider = await changeRider(tx, known.id, joinedFleet(known, invite.merchantId, tx.now))
  await remember(tx, by, invite, rider)
  await openTokenEnd(tx, rider)
  return { rider, losesTokens: true }
}

/** Spends the code, tells the rider and puts it on record. */
async function remember(tx: Tx, by: By, { id, merchantId }: InviteCode, rider: Rider): Promise<Rider> {
  await redeemCode(tx, id, rider.id)
  await openNotice(tx, rider, { about: 'joined_fleet', merchantId })
  const act = { action: 'fleet_rider.join', resourceType: 'rider', resourceId: rider.id, merchantId }
  tx.publish(auditOf(by, { ...act, after: { invite_code_id: id } }))
  return rider
}
