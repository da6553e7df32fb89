import type { By } from '@svc/grpc'
import { auditOf, type Tx } from '@svc/transact'
import type { Context } from '../../context.ts'
import { usingOtp } from '../../db/otps.ts'
import { changeRider, findRider, lockRider } from '../../db/riders.ts'
import { invalidOtp, OTP_MAX_TRIES, SANDBOX_CODE } from '../../domain/otp.ts'
import { assertMayMove, isSandbox, provenPhone, type Rider, requireOwn } from '../../domain/rider.ts'
import { type BegunMove, beginMove, finishMoveOrLater } from './finish-move.ts'
import { openNotice } from './send-rider-notice.ts'

interface PhoneProof {
  riderId: string
  code: string
  /** Where given, the code must have gone there. */
  phone?: string
}

/**
 * Sets the phone to which the code went, as proven. Another phone than before ends all tokens but the caller's, freezes
 * withdrawals and is told to the phone of before; who may do that is judged now, whatever held when the code was sent.
 */
export async function verifyRiderPhoneOtp(ctx: Context, by: By, proof: PhoneProof): Promise<Rider> {
  const { riderId, code, phone } = proof
  const known = requireOwn(by.caller, await findRider(ctx.database, riderId))
  if (isSandbox(riderId)) {
    if (code !== SANDBOX_CODE) throw invalidOtp(OTP_MAX_TRIES)
    return known
  }
  const hasLedger = by.caller.kind === 'merchant' && !known.phoneVerifiedAt && (await ctx.wallet.hasLedger(riderId))
  const { rider, move } = await usingOtp(
    ctx,
    { purpose: 'rider_phone', subjectId: riderId, code, phone },
    async (tx, otp): Promise<{ rider: Rider; move?: BegunMove }> => {
      const found = requireOwn(by.caller, await lockRider(tx, riderId))
      const change = provenPhone(found, otp.phone, tx.now)
      if (!change) return { rider: found }
      if (otp.phone === found.phone) return { rider: await changeRider(tx, riderId, change) }
      assertMayMove(by.caller, found, tx.now, hasLedger)
      const moved = await changeRider(tx, riderId, change)
      return { rider: moved, move: await follow(tx, by, found, moved) }
    },
  )
  if (move) await finishMoveOrLater(ctx, move)
  return rider
}

/** What follows from another phone, and is on record with it. */
async function follow(tx: Tx, by: By, before: Rider, after: Rider): Promise<BegunMove> {
  const { id, merchantId } = before
  const last4 = (phone: string): string => phone.slice(-4)
  await openNotice(tx, before, { about: 'phone_moved', last4: last4(after.phone) })
  tx.publish(
    auditOf(by, {
      action: 'rider.phone_change',
      resourceType: 'rider',
      resourceId: id,
      merchantId,
      before: { phone_last4: last4(before.phone) },
      after: { phone_last4: last4(after.phone) },
    }),
  )
  return beginMove(tx, before, by.caller.kind === 'rider' ? (by.caller.sessionId ?? null) : null)
}
