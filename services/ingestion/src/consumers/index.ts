import { onHookJudged } from './on-hook-judged.ts'
import { onMerchantFact } from './on-merchant-fact.ts'

/** All that this service consumes. */
export const consumers = [onMerchantFact, onHookJudged]
