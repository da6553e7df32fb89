import type { By } from '@svc/grpc'
import type { Context } from '../../context.ts'
import { infectedDocuments } from '../../db/kyb-documents.ts'
import { findSubmission } from '../../db/kyb-submissions.ts'
import { lockMerchant } from '../../db/merchants.ts'
import { judgeIdentification } from '../../domain/kyb.ts'
import type { KybStatus } from '../../domain/merchant-transitions.ts'
import { openKybMail } from '../../security/kyb-mails.ts'
import { applyMerchantPatch } from '../merchants/update-merchant.ts'

interface RecordIdentification {
  merchantId: string
  succeeded: boolean
  occurredAt: Date
  reason: string | undefined
  reference: string | undefined
}

/** Takes over what the payment provider found of a business under review; repeats and late news change nothing. */
export async function recordIdentification(
  ctx: Context,
  { caller }: By<'every tenant'>,
  { merchantId, succeeded, occurredAt, reason, reference }: RecordIdentification,
): Promise<{ outcome: ReturnType<typeof judgeIdentification>; kybStatus: KybStatus }> {
  return ctx.transact({ merchantId, isTest: null }, async (tx) => {
    const { kybStatus, businessApprovalStatus } = await lockMerchant(tx.em, merchantId)
    const submittedAt = (await findSubmission(tx, merchantId))?.submittedAt ?? null
    const hasInfected = (await infectedDocuments(tx, merchantId)).length > 0
    const outcome = judgeIdentification({ kybStatus, submittedAt, hasInfected }, { succeeded, occurredAt })
    if (outcome !== 'recorded') return { outcome, kybStatus }
    // Neither way leads from or to live keys: whoever is verified is yet to be approved. No epoch follows.
    const { merchant } = await applyMerchantPatch(tx, caller, merchantId, {
      kybStatus: succeeded ? 'verified' : 'rejected',
      ...(!succeeded && reason !== undefined && { kybNotes: reason }),
      ...(reference !== undefined && { kybReference: reference }),
    })
    await openKybMail(ctx, tx, { kybStatus, businessApprovalStatus }, merchant)
    return { outcome, kybStatus: merchant.kybStatus }
  })
}
