import type { By } from '@svc/grpc'
import type { Context } from '../../context.ts'
import { insertContactInquiry } from '../../db/contact-inquiries.ts'
import { normalizedEmail } from '../../domain/email.ts'
import type { PublicInquirySource } from '../../domain/enumerations.ts'
import { assertPhone } from '../../domain/phone.ts'

interface CreateContactInquiry {
  source: PublicInquirySource
  name: string
  email: string
  phone?: string | undefined
  message?: string | undefined
}

/** Keeps what somebody wrote to us, for an operator to review. Whose address it is nobody has proven. */
export async function createContactInquiry(ctx: Context, _by: By, input: CreateContactInquiry): Promise<void> {
  const { source, name, message } = input
  const [email, phone] = [normalizedEmail(input.email), assertPhone(input.phone)]
  await ctx.transact('every tenant', (tx) =>
    insertContactInquiry(tx, { source, merchantId: null, name, email, phone, message: message ?? null }),
  )
}
