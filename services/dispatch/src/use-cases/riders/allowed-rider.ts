import { ServiceError } from '@svc/errors'
import type { Caller } from '@svc/grpc'
import type { Tx } from '@svc/outbox'
import { findRider, lockRider } from '../../db/riders.ts'
import { isSandbox, type Rider } from '../../domain/rider.ts'

/**
 * The rider for whom the caller may act: itself, one of the merchant's fleet, or for a test credential the sandbox rider.
 * Anybody else is as unknown as nobody.
 */
export const findAllowedRider = async (tx: Tx, caller: Caller, riderId: string): Promise<Rider> =>
  allowed(caller, await findRider(tx, riderId))

/** The same, held against other writers. */
export const lockAllowedRider = async (tx: Tx, caller: Caller, riderId: string): Promise<Rider> =>
  allowed(caller, await lockRider(tx, riderId))

function allowed(caller: Caller, rider: Rider | null): Rider {
  if (rider && mayActFor(caller, rider)) return rider
  throw new ServiceError('not_found')
}

function mayActFor({ kind, actor, merchantId, isTest }: Caller, { id, merchantId: fleet }: Rider): boolean {
  if (kind === 'rider') return actor.id === id
  if (kind !== 'merchant' || !merchantId) return false
  return isSandbox(id) ? isTest === true : fleet === merchantId
}
