import type { By } from '@svc/grpc'
import type { Context } from '../../context.ts'
import { infectedDocuments } from '../../db/kyb-documents.ts'
import { findSubmission } from '../../db/kyb-submissions.ts'
import { idsOfReference, lockMerchant } from '../../db/merchants.ts'
import { judgeIdentification } from '../../domain/kyb.ts'
import type { KybStatus } from '../../domain/merchant-transitions.ts'
import { openKybMail } from '../../security/kyb-mails.ts'
import { applyMerchantPatch } from '../merchants/update-merchant.ts'

interface RecordIdentification {
  /** Who has paid as the customer whom it is about. */
  payerId: string | null
  /** On whose address it came. */
  addressedTo: string | null
  succeeded: boolean
  occurredAt: Date
  reason: string | undefined
  reference: string | undefined
}

type Outcome = ReturnType<typeof judgeIdentification> | 'unknown_business' | 'tenant_mismatch'

/** Takes over what the payment provider found of a business under review; repeats and late news change nothing. */
export async function recordIdentification(
  ctx: Context,
  { caller, scope }: By<'every tenant'>,
  { payerId, addressedTo, succeeded, occurredAt, reason, reference }: RecordIdentification,
): Promise<{ outcome: Outcome; kybStatus: KybStatus | null }> {
  const named = reference === undefined ? [] : await ctx.transact(scope, ({ em }) => idsOfReference(em, reference))
  const [merchantId, ...others] = new Set([...(payerId === null ? [] : [payerId]), ...named])
  if (merchantId === undefined) return { outcome: 'unknown_business', kybStatus: null }
  // Of two that could be meant neither is taken, nor one by an address that anybody could have written.
  if (others.length > 0 || (addressedTo !== null && addressedTo !== merchantId))
    return { outcome: 'tenant_mismatch', kybStatus: null }
  return ctx.transact({ merchantId, isTest: null }, async (tx) => {
    const { kybStatus, businessApprovalStatus } = await lockMerchant(tx.em, merchantId)
    const submission = (await findSubmission(tx, merchantId)) ?? null
    const hasInfected = (await infectedDocuments(tx, merchantId)).length > 0
    const outcome = judgeIdentification({ kybStatus, submission, hasInfected }, { succeeded, occurredAt })
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
