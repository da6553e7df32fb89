import type { By, Tenant } from '@svc/grpc'
import { auditOf } from '@svc/transact'
import type { Context } from '../../context.ts'
import { leaveOutInfected } from '../../db/kyb-documents.ts'
import { storeSubmission } from '../../db/kyb-submissions.ts'
import { lockMerchant } from '../../db/merchants.ts'
import { assertMaySubmit, assertPayload } from '../../domain/kyb.ts'
import type { Merchant } from '../../domain/merchant.ts'
import { applyMerchantPatch } from '../merchants/update-merchant.ts'

/**
 * Takes what a business says of itself in place of what it said before, and puts it up for review. What was found infected
 * until now is left out of its file. What was submitted stands in no log.
 */
export async function submitKyb(
  ctx: Context,
  { caller, scope }: By<Tenant>,
  { payloadJson }: { payloadJson: string },
): Promise<{ merchant: Merchant; submittedAt: Date }> {
  assertPayload(payloadJson)
  const { merchantId } = scope
  return ctx.transact(scope, async (tx) => {
    const { kybStatus } = await lockMerchant(tx.em, merchantId)
    assertMaySubmit(kybStatus)
    await storeSubmission(tx, merchantId, payloadJson)
    await leaveOutInfected(tx, merchantId)
    // Who is under review or rejected has no live keys: no epoch follows.
    const { merchant } = await applyMerchantPatch(tx, caller, merchantId, { kybStatus: 'pending_review' })
    tx.publish(
      auditOf(caller, {
        action: 'kyb.submit',
        resourceType: 'merchant',
        resourceId: merchantId,
        // Verification holds for both environments.
        isTest: false,
        before: { kyb_status: kybStatus },
        after: { kyb_status: merchant.kybStatus, payload_bytes: Buffer.byteLength(payloadJson) },
      }),
    )
    return { merchant, submittedAt: tx.now }
  })
}
