import type { Tx } from '@svc/outbox'
import { insertRider, type NewRider, updateRider } from '../../db/riders.ts'
import type { Rider, RiderChange } from '../../domain/rider.ts'
import { riderCreated, riderUpdated } from '../../events.ts'

/** Makes a rider and announces rider.created; null when another rider has the phone. */
export async function createRider(tx: Tx, given: NewRider): Promise<Rider | null> {
  const rider = await insertRider(tx, given)
  if (rider) tx.publish(riderCreated(rider))
  return rider
}

/** Changes a rider whose row the caller holds and announces rider.updated, under the next version. */
export async function changeRider(tx: Tx, id: string, change: RiderChange): Promise<Rider> {
  const rider = await updateRider(tx, id, change)
  tx.publish(riderUpdated(rider))
  return rider
}
