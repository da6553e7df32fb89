import type { CashAccount, CashAdjustment, CashEntry, CashRemittance, CashTotal } from '@svc/contracts/wallet/v1/cash'
import { amountMinor, matching, maybe, text, uuid } from '@svc/inputs'
import { fieldsOf, id, instant, minor, orNull, page, whole, words } from '@svc/public-bodies'
import * as z from 'zod'

/** What a rider has in hand of a merchant's cash. */
const cashAccount = z
  .object(
    fieldsOf<CashAccount>()({
      rider_id: id,
      merchant_id: id,
      currency: z.string(),
      in_hand_minor: minor.meta({ description: 'collected_minor - remitted_minor + adjusted_minor' }),
      collected_minor: minor,
      remitted_minor: minor.meta({ description: 'What the merchant has confirmed' }),
      adjusted_minor: whole.meta({ description: 'By operators' }),
      held_since: orNull(instant).meta({ description: 'When the oldest of what is in hand was taken' }),
    }),
  )
  .meta({ id: 'CashAccount' })

export const cashAccountList = page('items', cashAccount)

export const REMITTANCE_STATUSES = ['declared', 'confirmed', 'disputed', 'resolved', 'withdrawn'] as const

const remittanceFields = fieldsOf<CashRemittance>()({
  id,
  rider_id: id,
  merchant_id: id,
  currency: z.string(),
  status: words(...REMITTANCE_STATUSES),
  declared_minor: minor,
  received_minor: minor.meta({ description: 'What the merchant has of it so far' }),
  declared_by: words('rider', 'merchant'),
  note: orNull(z.string()),
  reason: orNull(z.string()).meta({ description: 'Why it is less, or disputed' }),
  created_at: instant,
  decided_at: orNull(instant),
})

const remittance = z
  .object(remittanceFields)
  .meta({ id: 'CashRemittance', description: 'A hand-over of cash from a rider to its merchant' })

const adminRemittance = z
  .object({
    ...remittanceFields,
    ...fieldsOf<CashRemittance>()({
      proposed_minor: orNull(minor).meta({
        description: 'What the first of two operators says that the merchant has; a second person says the same',
      }),
      proposed_by: orNull(z.string()),
    }),
  })
  .meta({ id: 'AdminCashRemittance', description: 'A hand-over of cash, as operators see it' })

export const adminRemittanceReply = z.object({ remittance: adminRemittance })
export const adminRemittanceList = page('items', adminRemittance)

export const ADJUSTMENT_STATUSES = ['pending', 'applied', 'rejected'] as const

const adjustment = z
  .object(
    fieldsOf<CashAdjustment>()({
      id,
      rider_id: id,
      merchant_id: id,
      currency: z.string(),
      status: words(...ADJUSTMENT_STATUSES),
      amount_minor: whole.meta({ description: 'Positive: the rider has more in hand' }),
      reason: z.string(),
      proposed_by: z.string(),
      decided_by: orNull(z.string()),
      created_at: instant,
      decided_at: orNull(instant),
    }),
  )
  .meta({ id: 'CashAdjustment', description: 'What an operator changes of the cash in a rider’s hands' })

export const adjustmentReply = z.object({ adjustment })
export const adjustmentList = page('items', adjustment)

export const remittanceReply = z.object({ remittance })
export const remittanceList = page('items', remittance)

const cashEntry = z
  .object(
    fieldsOf<CashEntry>()({
      id,
      entry_type: words('cash_collected', 'cash_remitted', 'cash_adjusted'),
      rider_id: id,
      amount_minor: whole.meta({ description: 'Positive: the rider has more in hand' }),
      currency: z.string(),
      order_id: orNull(id),
      remittance_id: orNull(id),
      description: orNull(z.string()),
      created_at: instant,
    }),
  )
  .meta({ id: 'CashEntry' })

const cashTotal = z
  .object(
    fieldsOf<CashTotal>()({
      currency: z.string(),
      in_hand_minor: minor.meta({ description: 'What riders have and owe' }),
      collected_minor: minor,
      remitted_minor: minor,
      adjusted_minor: whole,
    }),
  )
  .meta({ id: 'CashTotal' })

export const cashStatement = z.object({
  ...page('items', cashEntry).shape,
  totals: z.array(cashTotal).meta({ description: 'Of all time, by currency' }),
})

const currency = maybe(matching(/^[A-Z]{3}$/, 'must be a currency code')).meta({
  description: "The merchant's own when absent",
})
const declared = {
  amount_minor: amountMinor.min(1),
  currency,
  note: maybe(text(500)),
}
export const riderRemittance = z.object({ merchant_id: uuid, ...declared })
export const merchantRemittance = z.object({ rider_id: uuid, ...declared })

const said = text(500, 1)
export const receipt = z.object({
  received_minor: maybe(amountMinor).meta({ description: 'All of it when absent; nothing at all is a dispute' }),
  reason: maybe(text(500)).meta({ description: 'Required where it is less' }),
})
export const objection = z.object({ reason: said })
export const resolution = z.object({
  received_minor: amountMinor.meta({ description: 'All that the merchant has of it' }),
  reason: said,
})

export const wantedAdjustment = z.object({
  merchant_id: uuid,
  rider_id: uuid,
  amount_minor: z.int().meta({ description: 'Positive: the rider has more in hand; not 0' }),
  currency,
  reason: said.meta({ description: 'Told in the merchant’s statement' }),
})

/** What a rider says of the cash of an order with cash on delivery. */
export const cashReport = {
  cod_collected_minor: maybe(z.int().min(0)).meta({
    description:
      'Cash on delivery that the customer paid. Absent with delivered: all of it. 0 with returned_to_merchant: the customer refused to pay',
  }),
  cod_reason: maybe(text(500)).meta({ description: 'Why less was paid; required then' }),
}
