import type { Consumer } from '@svc/facts'
import type { Context } from '../context.ts'
import { onCashChanged } from './on-cash-changed.ts'
import { onClockAdvanced } from './on-clock-advanced.ts'
import { onMerchantFact } from './on-merchant-fact.ts'
import { onOrderCreated } from './on-order-created.ts'
import { onOrderFact } from './on-order-fact.ts'
import { onPayoutInstrumentChanged } from './on-payout-instrument-changed.ts'

/** What dispatch does about the facts of others. */
export const factConsumers: ReadonlyArray<Consumer<Pick<Context, 'config' | 'dispatcher' | 'realtime'>>> = [
  onMerchantFact,
  // Before the others: what follows finds its order.
  onOrderCreated,
  onOrderFact,
  onClockAdvanced,
  onPayoutInstrumentChanged,
  onCashChanged,
]
