import { createLogger } from '@svc/logging'
import { SETTLE } from '../commissions/settle.ts'
import { requestAbort } from '../db/commission-intents.ts'
import { order } from '../service.ts'

/**
 * Gives up the open settlement of the order that is named: the workers of the service ask the wallet that it never takes
 * effect. Where it had taken effect the order enters its status after all.
 */
const logger = createLogger('abort-settlement')
const orderId = process.argv[2] ?? ''
const intentId = await order.withContext(({ transact }) =>
  transact('every tenant', (tx) => requestAbort(tx, { kind: SETTLE, subjectId: orderId })),
)
if (intentId) logger.info({ order_id: orderId, intent: intentId }, 'the settlement will be given up')
else logger.error({ order_id: orderId }, 'the order has no open settlement')
process.exitCode = intentId ? 0 : 1
