import type { ContactInquiry as ContactInquiryMessage } from '@svc/contracts/admin/v1/inquiry_service'
import type { ContactInquiry } from '../domain/contact-inquiry.ts'

export function contactInquiryMessage(inquiry: ContactInquiry): ContactInquiryMessage {
  return {
    id: inquiry.id,
    source: inquiry.source,
    email: inquiry.email,
    name: inquiry.name,
    message: inquiry.message ?? undefined,
    review_status: inquiry.reviewStatus,
    merchant_id: inquiry.merchantId ?? undefined,
    created_at: inquiry.createdAt.toISOString(),
    phone: inquiry.phone ?? undefined,
    ledger_transaction_id: inquiry.ledgerTransactionId ?? undefined,
  }
}
