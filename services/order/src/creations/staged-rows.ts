import { setImmediate as nextTurn } from 'node:timers/promises'
import { ShipmentRows } from '@svc/contracts/order/v1/shipment_service'
import { ServiceError, validationError } from '@svc/errors'
import type { Context } from '../context.ts'
import { stagedRows } from '../db/shipment-drafts.ts'
import { MAX_ROWS } from '../domain/shipment.ts'
import type { SentRow } from '../domain/shipment-row.ts'
import type { WriteTenant } from '../domain/tenant.ts'

/** So many rows are read before others have their turn. */
const AT_ONCE = 50

/** The staged rows, one part after the other, so that no more than one is held as it was sent. */
export async function* sentRows(
  { reads }: Pick<Context, 'reads'>,
  tenant: WriteTenant,
  { uploadId, parts }: { uploadId: string; parts: number },
): AsyncGenerator<SentRow> {
  let count = 0
  for (let part = 0; part < parts; part++) {
    const staged = await stagedRows(reads.in(tenant), tenant, { uploadId, part })
    // Too late: what nobody used in an hour is gone.
    if (!staged) throw new ServiceError('service_unavailable', { retryAfterSeconds: 1 })
    for (const row of ShipmentRows.decode(staged).rows) {
      count += 1
      if (count > MAX_ROWS) throw tooMany()
      if (count % AT_ONCE === 0) await nextTurn()
      yield row
    }
  }
}

const tooMany = (): ServiceError =>
  validationError([
    { field: 'orders', rule: 'max', limit: MAX_ROWS, message: `A shipment has at most ${MAX_ROWS} rows.` },
  ])
