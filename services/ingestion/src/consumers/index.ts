import { onHookJudged } from './on-hook-judged.ts'
import { onMerchantFact } from './on-merchant-fact.ts'
import { onMessageReceived } from './on-message-received.ts'

/** All that this service consumes. */
export const consumers = [onMerchantFact, onHookJudged, onMessageReceived]
