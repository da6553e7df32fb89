import type { CashAccount } from '@svc/contracts/wallet/v1/cash'
import { maybe, text } from '@svc/inputs'
import { fieldsOf, id, instant, minor, orNull, page, whole } from '@svc/public-bodies'
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

/** What a rider says of the cash of an order with cash on delivery. */
export const cashReport = {
  cod_collected_minor: maybe(z.int().min(0)).meta({
    description:
      'Cash on delivery that the customer paid. Absent with delivered: all of it. 0 with returned_to_merchant: the customer refused to pay',
  }),
  cod_reason: maybe(text(500)).meta({ description: 'Why less was paid; required then' }),
}
