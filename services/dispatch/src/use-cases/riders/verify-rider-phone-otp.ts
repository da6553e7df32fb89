import type { By } from '@svc/grpc'
import type { Context } from '../../context.ts'
import { usingOtp } from '../../db/otps.ts'
import { changeRider, findRider, lockRider } from '../../db/riders.ts'
import { invalidOtp, OTP_MAX_TRIES, SANDBOX_CODE } from '../../domain/otp.ts'
import { isSandbox, provenPhone, type Rider, requireOwn } from '../../domain/rider.ts'

interface PhoneProof {
  riderId: string
  code: string
  /** Where given, the code must have gone there. */
  phone?: string
}

/** Sets the phone to which the code went, as proven. */
export async function verifyRiderPhoneOtp(ctx: Context, { caller }: By, proof: PhoneProof): Promise<Rider> {
  const { riderId, code, phone } = proof
  const rider = requireOwn(caller, await findRider(ctx.database, riderId))
  if (isSandbox(riderId)) {
    if (code !== SANDBOX_CODE) throw invalidOtp(OTP_MAX_TRIES)
    return rider
  }
  return usingOtp(ctx, { purpose: 'rider_phone', subjectId: riderId, code, phone }, async (tx, otp) => {
    const found = requireOwn(caller, await lockRider(tx, riderId))
    const change = provenPhone(found, otp.phone, tx.now)
    return change ? changeRider(tx, riderId, change) : found
  })
}
