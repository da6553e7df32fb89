import type { CashReport } from '@svc/inputs'
import { type Intent, openIntent, untilDone } from '@svc/intents'
import { metrics } from '@svc/telemetry'
import type { Tx } from '@svc/transact'
import type { Context } from '../context.ts'
import { NO_CASH_REPORT } from '../domain/cash.ts'
import type { Announcement, Order } from '../domain/order.ts'
import type { SimulatorAction } from '../domain/simulator.ts'

/** The kind of intents by which what a rider took from a customer gets into the books. */
export const CASH = 'cash'

/** Cash that a rider took for a merchant. */
export interface CollectedCash {
  orderId: string
  merchantId: string
  riderId: string
  isTest: boolean
  amountMinor: number
  /** Null: the merchant's own. */
  currency: string | null
}

/** Keeps what the rider says of the cash, before the order comes to its end; what was taken is booked by intent, once. */
export async function recordCash(tx: Tx, order: Order, to: string, report: CashReport): Promise<void> {
  const record = order.reportCash(to, report, tx.now)
  if (!record) return
  const { id: orderId, merchantId, isTest } = order
  const { rider_id: riderId, collected_minor: amountMinor, currency } = record
  const payload: CollectedCash = { orderId, merchantId, riderId, isTest, amountMinor, currency }
  await openIntent(tx, { kind: CASH, subjectId: orderId, merchantId, payload })
}

/** Does what the sandbox rider would, who takes all the cash that is asked for. */
export async function simulated(tx: Tx, order: Order, action: SimulatorAction): Promise<Announcement[]> {
  const announcements = order.simulate(action, tx.now)
  if (announcements.length > 0) await recordCash(tx, order, order.status, NO_CASH_REPORT)
  return announcements
}

/** Has the wallet book what a rider took, until it is done. */
export async function collectCash(
  { wallet, logger, failpoint }: Pick<Context, 'wallet' | 'logger' | 'failpoint'>,
  intent: Intent,
): Promise<object> {
  const cash = intent.payload as CollectedCash
  const outcome = await untilDone(wallet.collectCash(cash))
  failpoint('cash collected')
  metrics.counter('cash_collections_total', 'Collections of cash on delivery, by how they ended').add(1, { outcome })
  if (outcome === 'declined')
    logger.error({ alert: 'cash_declined', order_id: cash.orderId }, 'the wallet cannot book what a rider collected')
  return { outcome }
}
