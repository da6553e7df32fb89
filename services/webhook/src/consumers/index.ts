import { onMerchantFact } from './on-merchant-fact.ts'
import { onOrderFact } from './on-order-fact.ts'

/** All that this service consumes. */
export const consumers = [onOrderFact, onMerchantFact]
