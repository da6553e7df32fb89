import type { Withdrawal } from '@svc/contracts/wallet/v1/payout'
import * as z from 'zod'
import { fieldsOf, id, instant, minor, orNull, whole, words } from './pieces.ts'

export const WITHDRAWAL_STATUSES = [
  'pending_review',
  'approved',
  'processing',
  'paid',
  'failed',
  'rejected',
  'cancelled',
] as const

export const OWNER_TYPES = ['merchant', 'rider'] as const

const fields = fieldsOf<Withdrawal>()({
  id,
  owner_type: words(...OWNER_TYPES),
  owner_id: id,
  amount_minor: minor,
  currency: z.string(),
  status: words(...WITHDRAWAL_STATUSES),
  payout_instrument_id: id,
  account_last4: z.string(),
  bank_code: z.string(),
  failure_reason: orNull(z.string()),
  reviewed_by: orNull(z.string()),
  reviewed_at: orNull(instant),
  paid_at: orNull(instant),
  provider_reference: orNull(z.string()).meta({ description: 'Of the latest attempt to pay it out' }),
  created_at: instant,
})

/** Money on its way out of a wallet, as its owner sees it. */
export const withdrawal = z.object(fields).meta({ id: 'Withdrawal' })

/** The same as operators see it. */
export const adminWithdrawal = z
  .object({
    ...fields,
    ...fieldsOf<Withdrawal>()({
      approvals: whole.meta({ description: 'Operators who have approved it so far' }),
    }),
  })
  .meta({ id: 'AdminWithdrawal' })

/** A top-up that was paid, as webhooks tell of it. */
export const creditedTopup = z
  .object({ reference: z.string(), amount_minor: minor, currency: z.string() })
  .meta({ id: 'CreditedTopup' })
