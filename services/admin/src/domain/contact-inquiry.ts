import { defineEntity, p } from '@mikro-orm/core'

const ContactInquirySchema = defineEntity({
  name: 'ContactInquiry',
  tableName: 'contact_inquiries',
  properties: {
    id: p.uuid().primary(),
    merchantId: p.uuid().nullable(),
    source: p.text().$type<'self_serve_signup'>(),
    name: p.text(),
    email: p.text(),
    phone: p.text().nullable(),
    reviewStatus: p.text().$type<'open' | 'reviewed' | 'archived'>(),
    createdAt: p.datetime(),
  },
})

/** A person to get back to. */
export class ContactInquiry extends ContactInquirySchema.class {}

ContactInquirySchema.setClass(ContactInquiry)
