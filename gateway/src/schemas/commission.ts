import { text, timestamp, uuid } from '@svc/inputs'
import * as z from 'zod'
import { minor, vehicle } from './pieces.ts'

const rule = z
  .strictObject({
    amount_minor: minor,
    vehicle_type: z.string().optional().meta({ description: 'Any vehicle when absent' }),
    source: z.string().optional().meta({ description: 'Any source when absent' }),
  })
  .meta({ id: 'CommissionRule' })

const own = (what: string) => ({ description: `${what}; null: as the operator has it` })

/** How a merchant's riders are paid. */
export const commissionSettings = z
  .strictObject({
    merchant_id: uuid,
    automation: z.boolean().nullable().meta(own('Whether statuses pay riders')),
    trigger_statuses: z.array(z.string()).nullable().meta(own('Which statuses do')),
    merchant_debit: z.boolean().nullable().meta(own("Whether the merchant's wallet bears it")),
    require_payment_verified: z.boolean().nullable().meta(own('Whether it waits for the payment mark')),
    rules: z.array(rule).meta({ description: 'The first that fits an order counts' }),
    updated_at: timestamp.nullable(),
    effective: z.strictObject({
      automation: z.boolean(),
      trigger_statuses: z.array(z.string()),
      merchant_debit: z.boolean(),
      require_payment_verified: z.boolean(),
      rules: z.array(rule),
      default_commission_minor: minor.meta({ description: 'Where no rule fits' }),
    }),
  })
  .meta({ id: 'CommissionSettings' })

/** What is left out or null follows the operator's value. */
export const newCommissionSettings = z.strictObject({
  automation: z.boolean().nullish(),
  trigger_statuses: z.array(text(128)).max(20).nullish(),
  merchant_debit: z.boolean().nullish(),
  require_payment_verified: z.boolean().nullish(),
  rules: z
    .array(z.strictObject({ amount_minor: minor, vehicle_type: vehicle.nullish(), source: text(64).nullish() }))
    .max(100)
    .nullish(),
})
