import { InquiryServiceService } from '@svc/contracts/admin/v1/inquiry_service'
import { anyone, inPerson, liveOnly, merchant, operator, rpc, serving } from '@svc/grpc'
import { idField, pageFields, resourceId, text } from '@svc/inputs'
import { z } from 'zod'
import type { Context } from '../context.ts'
import { normalizedEmail } from '../domain/email.ts'
import { INQUIRY_SOURCES, PUBLIC_INQUIRY_SOURCES, REVIEW_STATUSES } from '../domain/enumerations.ts'
import { contactInquiryMessage } from '../messages/contact-inquiry.ts'
import { createCommissionDispute } from '../use-cases/inquiries/create-commission-dispute.ts'
import { createContactInquiry } from '../use-cases/inquiries/create-contact-inquiry.ts'
import { listContactInquiries } from '../use-cases/inquiries/list-contact-inquiries.ts'
import { updateContactInquiry } from '../use-cases/inquiries/update-contact-inquiry.ts'

/** What people have written to us. */
export const inquiryService = serving<Context>()(InquiryServiceService, {
  createContactInquiry: rpc({
    access: anyone(),
    input: z.object({
      source: z.enum(PUBLIC_INQUIRY_SOURCES),
      name: text(200),
      email: z.string(),
      phone: z.string().optional(),
      message: text(4000).optional(),
    }),
    async handle(ctx, by, inquiry) {
      await createContactInquiry(ctx, by, inquiry)
      return {}
    },
  }),

  createCommissionDispute: rpc({
    access: inPerson(liveOnly(merchant('orders:write'))),
    input: z.object({ ledger_transaction_id: idField, message: text(4000) }),
    handle: async (ctx, by, { ledger_transaction_id: ledgerTransactionId, message }) => ({
      inquiry: contactInquiryMessage(await createCommissionDispute(ctx, by, { ledgerTransactionId, message })),
    }),
  }),

  listContactInquiries: rpc({
    access: operator('admin.inquiries.read'),
    input: z.object({
      ...pageFields(100),
      email: z.string().optional(),
      source: z.enum(INQUIRY_SOURCES).optional(),
      review_status: z.enum(REVIEW_STATUSES).optional(),
    }),
    async handle(ctx, by, { limit, offset, email, source, review_status: reviewStatus }) {
      const filter = {
        ...(email !== undefined && { email: normalizedEmail(email) }),
        ...(source && { source }),
        ...(reviewStatus && { reviewStatus }),
      }
      const { inquiries, total } = await listContactInquiries(ctx, by, { limit, offset, filter })
      return { items: inquiries.map(contactInquiryMessage), total, limit, offset }
    },
  }),

  updateContactInquiry: rpc({
    access: operator('admin.inquiries.write'),
    input: z.object({ id: z.string(), review_status: z.enum(REVIEW_STATUSES) }),
    handle: async (ctx, by, { id, review_status: reviewStatus }) => ({
      inquiry: contactInquiryMessage(await updateContactInquiry(ctx, by, { id: resourceId(id), reviewStatus })),
    }),
  }),
})
