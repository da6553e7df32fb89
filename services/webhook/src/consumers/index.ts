import { onClockAdvanced } from './on-clock-advanced.ts'
import { onMerchantFact } from './on-merchant-fact.ts'
import { onOrderFact } from './on-order-fact.ts'
import { onTopupFact } from './on-topup-fact.ts'
import { onWithdrawalFact } from './on-withdrawal-fact.ts'

/** A group of its own, so that money that is slow or not there never holds up orders. */
export const moneyConsumers = [onTopupFact, onWithdrawalFact]
export const orderConsumers = [onOrderFact, onMerchantFact]
/** A group of its own: what a sandbox makes of it never holds up orders. */
export const clockConsumers = [onClockAdvanced]
