import { RiderFact } from '@svc/contracts/dispatch/v1/rider'
import type { Tx } from '@svc/outbox'
import { insertRider, type NewRider, updateRider } from '../../db/riders.ts'
import type { Rider, RiderChange } from '../../domain/rider.ts'
import { riderMessage } from '../../messages/rider.ts'

/** Makes a rider and announces rider.created; null when the phone is somebody's. */
export async function createRider(tx: Tx, given: NewRider): Promise<Rider | null> {
  const rider = await insertRider(tx, given)
  if (rider) announce(tx, 'rider.created', rider)
  return rider
}

/** Changes a rider whose row the caller holds and announces rider.updated, under the next version. */
export async function changeRider(tx: Tx, id: string, change: RiderChange): Promise<Rider> {
  const rider = await updateRider(tx, id, change)
  announce(tx, 'rider.updated', rider)
  return rider
}

function announce(tx: Tx, type: string, rider: Rider): void {
  tx.publish({
    type,
    aggregateType: 'rider',
    aggregateId: rider.id,
    aggregateVersion: rider.version,
    merchantId: rider.merchantId,
    isTest: false,
    payload: Buffer.from(RiderFact.encode({ rider: riderMessage(rider) }).finish()),
  })
}
