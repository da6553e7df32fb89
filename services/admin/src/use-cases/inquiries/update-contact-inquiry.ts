import type { By } from '@svc/grpc'
import { auditOf } from '@svc/transact'
import type { Context } from '../../context.ts'
import { lockContactInquiry } from '../../db/contact-inquiries.ts'
import type { ContactInquiry } from '../../domain/contact-inquiry.ts'
import type { ReviewStatus } from '../../domain/enumerations.ts'

/** Sets what an operator makes of an inquiry; any status follows any. */
export async function updateContactInquiry(
  ctx: Context,
  { caller, scope }: By<'every tenant'>,
  { id, reviewStatus }: { id: string; reviewStatus: ReviewStatus },
): Promise<ContactInquiry> {
  return ctx.transact(scope, async (tx) => {
    const inquiry = await lockContactInquiry(tx.em, id)
    const before = inquiry.reviewStatus
    if (before === reviewStatus) return inquiry
    inquiry.reviewStatus = reviewStatus
    tx.publish(
      auditOf(caller, {
        action: 'contact_inquiry.update',
        resourceType: 'contact_inquiry',
        resourceId: id,
        merchantId: inquiry.merchantId ?? null,
        isTest: false,
        before: { review_status: before },
        after: { review_status: reviewStatus },
      }),
    )
    return inquiry
  })
}
