import { onHookReceived } from './on-hook-received.ts'
import { onMerchantFact } from './on-merchant-fact.ts'
import { onOrderDelivered } from './on-order-delivered.ts'

/** All that this service consumes. */
export const consumers = [onMerchantFact, onHookReceived, onOrderDelivered]
