import { defineEntity, p } from '@mikro-orm/core'
import type { InquirySource, ReviewStatus } from './enumerations.ts'

const ContactInquirySchema = defineEntity({
  name: 'ContactInquiry',
  tableName: 'contact_inquiries',
  properties: {
    id: p.uuid().primary(),
    /** Null for somebody who is of no merchant, or did not say. */
    merchantId: p.uuid().nullable(),
    source: p.text().$type<InquirySource>(),
    name: p.text(),
    email: p.text(),
    phone: p.text().nullable(),
    message: p.text().nullable(),
    reviewStatus: p.text().$type<ReviewStatus>(),
    /** Of a dispute: the entry of the ledger that is contested. */
    ledgerTransactionId: p.uuid().nullable(),
    createdAt: p.datetime(),
  },
})

/** What somebody wrote to us. */
export class ContactInquiry extends ContactInquirySchema.class {}

ContactInquirySchema.setClass(ContactInquiry)
