import type { PayoutInstrument } from '@svc/contracts/wallet/v1/payout'
import { matching, maybe, text } from '@svc/inputs'
import { adminWithdrawal, fieldsOf, id, instant, minor, orNull, page, withdrawal } from '@svc/public-bodies'
import * as z from 'zod'

/** A bank account to which its owner may be paid; of its number only the end is told. */
export const payoutInstrument = z
  .object(
    fieldsOf<PayoutInstrument>()({
      id,
      bank_code: z.string(),
      bank_name: orNull(z.string()),
      account_name: orNull(z.string()),
      account_last4: z.string(),
      is_default: z.boolean(),
      frozen_until: orNull(instant).meta({ description: 'Until then nothing is paid out' }),
      created_at: instant,
    }),
  )
  .meta({ id: 'PayoutInstrument' })

export const newPayoutInstrument = z.object({
  bank_code: matching(/^[0-9A-Za-z]{3,6}$/, 'must be 3 to 6 digits or letters').meta({ example: '058' }),
  account_number: matching(/^\d{10}$/, 'must be 10 digits').meta({ example: '0123456789' }),
  account_name: maybe(text(100)).meta({ description: 'As the bank knows the account when absent' }),
  is_default: z.boolean().nullish(),
})

export const withdrawalReply = z.object({ withdrawal })
export const withdrawalList = z.object({
  ...page('withdrawal_requests', withdrawal).shape,
  min_amount_minor: minor.meta({ description: 'The least that can be asked for' }),
})

export const adminWithdrawalReply = z.object({ withdrawal: adminWithdrawal })
export const adminWithdrawalList = z.object({
  ...page('items', adminWithdrawal).shape,
  four_eyes_above_minor: minor.meta({
    description: 'What one payee gets within 24 hours above it needs two operators',
  }),
})
