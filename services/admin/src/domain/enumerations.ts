export const MERCHANT_TIERS = ['pay_as_you_go', 'hybrid', 'saas', 'enterprise'] as const
export const BILLING_STATUSES = ['active', 'trialing', 'past_due', 'canceled', 'compliance_hold'] as const
export const KYB_STATUSES = ['not_submitted', 'pending_review', 'verified', 'rejected'] as const
export const BUSINESS_APPROVAL_STATUSES = ['none', 'pending', 'approved', 'rejected'] as const
export const DISPATCH_MODES = ['one_by_one', 'batch', 'broadcast'] as const
export const FULFILLMENT_MODES = ['freelancer', 'internal_fleet'] as const
/** What anybody may name as the occasion of an inquiry, and what the platform names besides. */
export const PUBLIC_INQUIRY_SOURCES = ['web_marketing', 'signup_request'] as const
export const INQUIRY_SOURCES = [
  ...PUBLIC_INQUIRY_SOURCES,
  'self_serve_signup',
  'commission_dispute',
  'merchant_dashboard',
  'messaging_app_ai_escalation',
] as const
export const REVIEW_STATUSES = ['open', 'reviewed', 'archived'] as const
export type PublicInquirySource = (typeof PUBLIC_INQUIRY_SOURCES)[number]
export type InquirySource = (typeof INQUIRY_SOURCES)[number]
export type ReviewStatus = (typeof REVIEW_STATUSES)[number]
export const MESSAGING_ENGINES = ['rules', 'ai', 'off'] as const
