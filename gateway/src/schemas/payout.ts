import { text, timestamp, uuid } from '@svc/inputs'
import * as z from 'zod'
import { minor, page } from './pieces.ts'

/** A bank account to which its owner may be paid; of its number only the end is told. */
export const payoutInstrument = z
  .strictObject({
    id: uuid,
    bank_code: z.string(),
    bank_name: z.string().nullable(),
    account_name: z.string().nullable(),
    account_last4: z.string(),
    is_default: z.boolean(),
    frozen_until: timestamp.nullable().meta({ description: 'Until then nothing is paid out; riders only' }),
    created_at: timestamp,
  })
  .meta({ id: 'PayoutInstrument' })

export const newPayoutInstrument = z.object({
  bank_code: z
    .string()
    .regex(/^[0-9A-Za-z]{3,6}$/, 'must be 3 to 6 digits or letters')
    .meta({ example: '058' }),
  account_number: z
    .string()
    .regex(/^\d{10}$/, 'must be 10 digits')
    .meta({ example: '0123456789' }),
  account_name: text(100).nullish().meta({ description: 'As the bank knows the account when absent' }),
  is_default: z.boolean().nullish(),
})

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

const fields = {
  id: uuid,
  owner_type: z.enum(OWNER_TYPES),
  owner_id: uuid,
  amount_minor: minor,
  currency: z.string(),
  status: z.enum(WITHDRAWAL_STATUSES),
  payout_instrument_id: uuid,
  account_last4: z.string(),
  bank_code: z.string(),
  failure_reason: z.string().nullable(),
  reviewed_by: z.string().nullable(),
  reviewed_at: timestamp.nullable(),
  paid_at: timestamp.nullable(),
  provider_reference: z.string().nullable().meta({ description: 'Of the latest attempt to pay it out' }),
  created_at: timestamp,
}

/** Money on its way out of a wallet. */
const withdrawal = z.strictObject(fields).meta({ id: 'Withdrawal' })

/** The same as operators see it. */
const adminWithdrawal = z
  .strictObject({ ...fields, approvals: z.int().meta({ description: 'Operators who have approved it so far' }) })
  .meta({ id: 'AdminWithdrawal' })

export const withdrawalReply = z.strictObject({ withdrawal })
export const withdrawalList = z.strictObject({
  ...page('withdrawal_requests', withdrawal).shape,
  min_amount_minor: minor.meta({ description: 'The least that can be asked for' }),
})

export const adminWithdrawalReply = z.strictObject({ withdrawal: adminWithdrawal })
export const adminWithdrawalList = z.strictObject({
  ...page('items', adminWithdrawal).shape,
  four_eyes_above_minor: minor.meta({ description: 'Amounts above it need two operators' }),
})
