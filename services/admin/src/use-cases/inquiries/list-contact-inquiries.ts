import type { By } from '@svc/grpc'
import type { Page } from '@svc/inputs'
import type { Context } from '../../context.ts'
import { type InquiryFilter, pageOfContactInquiries } from '../../db/contact-inquiries.ts'
import type { ContactInquiry } from '../../domain/contact-inquiry.ts'

/** A page of what people have written, newest first. */
export async function listContactInquiries(
  ctx: Context,
  { scope }: By<'every tenant'>,
  { filter, ...page }: Page & { filter: InquiryFilter },
): Promise<{ inquiries: ContactInquiry[]; total: number }> {
  const [inquiries, total] = await ctx.transact(scope, ({ em }) => pageOfContactInquiries(em, filter, page))
  return { inquiries, total }
}
