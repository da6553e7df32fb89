import { ServiceError } from '@svc/errors'
import type { By, Tenant } from '@svc/grpc'
import type { Context } from '../context.ts'
import { requestAbort } from '../db/commission-intents.ts'
import { cancelDraft } from '../db/shipment-drafts.ts'
import { findShipment, lockShipment } from '../db/shipments.ts'
import { SHIPMENT_CANCELLED, type Shipment } from '../domain/shipment.ts'
import { writeTenant } from '../domain/tenant.ts'
import { HOLD } from '../shipments/hold.ts'

/**
 * Cancels a draft with all of its orders, of which nobody has heard. Cancelling again changes nothing; what was submitted,
 * is not cancelled here: cannot_cancel. A submit that is under way finds the draft cancelled, and what it held goes back.
 */
export async function cancelShipment(
  ctx: Pick<Context, 'transact'>,
  by: By<Tenant>,
  { shipmentId }: { shipmentId: string },
): Promise<{ shipment: Shipment; changed: boolean }> {
  const tenant = writeTenant(by.scope)
  const { type: actorType, id: actorId } = by.caller.actor
  return ctx.transact(tenant, async (tx) => {
    const shipment = await lockShipment(tx, tenant, shipmentId)
    const { status } = shipment
    if (status === 'cancelled') return { shipment, changed: false }
    if (status !== 'draft') throw new ServiceError('cannot_cancel', { details: { status } })
    await requestAbort(tx, { kind: HOLD, subjectId: shipment.id })
    await cancelDraft(tx, shipment, { reason: SHIPMENT_CANCELLED, notes: null, actorType, actorId })
    return { shipment: await findShipment(tx, tenant, shipmentId), changed: true }
  })
}
