export const MERCHANT_TIERS = ['pay_as_you_go', 'hybrid', 'saas', 'enterprise'] as const
export const BILLING_STATUSES = ['active', 'trialing', 'past_due', 'canceled', 'compliance_hold'] as const
export const KYB_STATUSES = ['not_submitted', 'pending_review', 'verified', 'rejected'] as const
export const BUSINESS_APPROVAL_STATUSES = ['none', 'pending', 'approved', 'rejected'] as const
export const DISPATCH_MODES = ['one_by_one', 'batch', 'broadcast'] as const
export const FULFILLMENT_MODES = ['freelancer', 'internal_fleet'] as const
export const MESSAGING_ENGINES = ['rules', 'ai', 'off'] as const
