import type { ContactInquiry } from '@svc/contracts/admin/v1/inquiry_service'
import { fieldsOf, id, instant, orNull, words } from '@svc/public-bodies'
import * as z from 'zod'

/** What anybody may name as the occasion of an inquiry. */
export const PUBLIC_INQUIRY_SOURCES = ['web_marketing', 'signup_request'] as const
export const INQUIRY_SOURCES = [
  ...PUBLIC_INQUIRY_SOURCES,
  'self_serve_signup',
  'commission_dispute',
  'merchant_dashboard',
  'messaging_app_ai_escalation',
] as const
export const REVIEW_STATUSES = ['open', 'reviewed', 'archived'] as const

/** What somebody wrote to us, as operators see it. */
export const contactInquiry = z
  .object(
    fieldsOf<ContactInquiry>()({
      id,
      source: words(...INQUIRY_SOURCES),
      email: z.string(),
      name: z.string(),
      phone: orNull(z.string()),
      message: orNull(z.string()),
      review_status: words(...REVIEW_STATUSES),
      merchant_id: orNull(id),
      ledger_transaction_id: orNull(id).meta({ description: 'Of a dispute: the entry that is contested' }),
      created_at: instant,
    }),
  )
  .meta({ id: 'ContactInquiry' })
