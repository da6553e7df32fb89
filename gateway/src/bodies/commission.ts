import type {
  CommissionRule,
  CommissionSettings,
  EffectiveCommissionSettings,
  GetCommissionSettingsResponse,
} from '@svc/contracts/wallet/v1/commission_service'
import { amountMinor, maybe, text } from '@svc/inputs'
import { fieldsOf, id, instant, minor, orNull, required } from '@svc/public-bodies'
import * as z from 'zod'
import { vehicle } from './pieces.ts'

const rule = z
  .object(
    fieldsOf<CommissionRule>()({
      amount_minor: minor,
      vehicle_type: z.string().optional().meta({ description: 'Any vehicle when absent' }),
      source: z.string().optional().meta({ description: 'Any source when absent' }),
    }),
  )
  .meta({ id: 'CommissionRule' })

const own = (what: string) => ({ description: `${what}; null: as the operator has it` })

const effective = z.object(
  fieldsOf<EffectiveCommissionSettings>()({
    automation: z.boolean(),
    trigger_statuses: z.array(z.string()),
    merchant_debit: z.boolean(),
    require_payment_verified: z.boolean(),
    rules: z.array(rule),
    default_commission_minor: minor.meta({ description: 'Where no rule fits' }),
  }),
)

/** How a merchant's riders are paid. */
export const commissionSettings = z
  .object({
    merchant_id: id,
    ...fieldsOf<CommissionSettings>()({
      automation: orNull(z.boolean()).meta(own('Whether statuses pay riders')),
      trigger_statuses: orNull(z.array(z.string())).meta(own('Which statuses do')),
      merchant_debit: orNull(z.boolean()).meta(own("Whether the merchant's wallet bears it")),
      require_payment_verified: orNull(z.boolean()).meta(own('Whether it waits for the payment mark')),
      rules: z.array(rule).meta({ description: 'The first that fits an order counts' }),
      updated_at: orNull(instant),
    }),
    effective,
  })
  .meta({ id: 'CommissionSettings' })

export function commissionOf(merchant_id: string, found: GetCommissionSettingsResponse) {
  const settings = required(found.settings)
  const trigger_statuses = settings.trigger_statuses?.values
  return { merchant_id, ...settings, trigger_statuses, effective: required(found.effective) }
}

/** What is left out or null follows the operator's value. */
export const newCommissionSettings = z.strictObject({
  automation: maybe(z.boolean()),
  trigger_statuses: z.array(text(128)).max(20).nullish(),
  merchant_debit: maybe(z.boolean()),
  require_payment_verified: maybe(z.boolean()),
  rules: z
    .array(z.strictObject({ amount_minor: amountMinor, vehicle_type: maybe(vehicle), source: maybe(text(64)) }))
    .max(100)
    .nullish(),
})
