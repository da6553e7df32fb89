import { type IntentCall, untilDone } from '@svc/intents'
import type { Context } from '../context.ts'
import { complete } from './complete.ts'
import { HOLD, hold } from './hold.ts'
import { CLOSE, PART } from './part.ts'

/** The calls to the wallet that shipments need, by the kind of their intents. */
export const shipmentCalls = (ctx: () => Context): Record<string, IntentCall> => ({
  [HOLD]: (intent) => hold(ctx(), intent),
  async [PART]({ subject_id: orderId, payload }) {
    const { shipmentId } = payload as { shipmentId: string }
    await untilDone(ctx().wallet.releasePart(orderId))
    await untilDone(ctx().transact('every tenant', (tx) => complete(tx, shipmentId)))
    return {}
  },
  async [CLOSE]({ subject_id: shipmentId }) {
    await untilDone(ctx().wallet.closeShipment(shipmentId))
    return {}
  },
})
