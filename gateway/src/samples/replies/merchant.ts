import type { RpcReplies } from '../rpc-replies.ts'
import { at, id, page } from './pieces.ts'

export const merchant = {
  id,
  name: 'Kitchen',
  slug: 'kitchen',
  email: 'owner@example.com',
  phone: '+2348012345678',
  merchant_tier: 'pay_as_you_go',
  billing_status: 'active',
  billing_period_end: at,
  kyb_status: 'not_submitted',
  business_approval_status: 'none',
  auto_dispatch_enabled: false,
  dispatch_mode: 'one_by_one',
  currency: 'NGN',
  timezone: 'Africa/Lagos',
  created_at: at,
  updated_at: at,
  version: 7,
  messaging_engine: 'rules',
  dispatch_batch_size: 3,
  billing_included_allowance: 100,
  billing_overage_fee_minor: 2_500,
  kyb_notes: 'seen',
  kyb_reference: 'kyb-1',
  fulfillment_mode: 'freelancer',
}

export const merchantReplies = {
  getAccount: { merchant, account_email: 'owner@example.com', email_verified: true },
  listMerchants: { items: [merchant], ...page },
  getMerchant: { merchant, kyb_payload_json: '{"director":"Ada"}' },
  updateMerchant: { merchant },
  listUsers: {
    items: [
      {
        id,
        merchant_id: id,
        email: 'o@example.com',
        email_verified: true,
        role: 'owner',
        created_at: at,
        last_login_at: at,
      },
    ],
    ...page,
  },
  bulkUpdateMessagingEngine: { updated: 3 },
  listBusinessApprovalQueue: { items: [merchant], ...page },
} satisfies Partial<RpcReplies>
