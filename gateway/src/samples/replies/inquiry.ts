import type { RpcReplies } from '../rpc-replies.ts'
import { at, id, page } from './pieces.ts'

const inquiry = {
  id,
  source: 'web_marketing',
  email: 'ada@example.com',
  name: 'Ada',
  phone: '+2348012345678',
  message: 'Hello',
  review_status: 'open',
  merchant_id: id,
  ledger_transaction_id: id,
  created_at: at,
}

export const inquiryReplies = {
  createContactInquiry: {},
  createCommissionDispute: { inquiry },
  listContactInquiries: { items: [inquiry], ...page },
  updateContactInquiry: { inquiry },
} satisfies Partial<RpcReplies>
