import { validationError } from '@svc/errors'
import { type By, held } from '@svc/grpc'
import type { Context } from '../../context.ts'
import { listPayoutInstruments as list, type PayoutInstrumentRow } from '../../db/payout-instruments.ts'
import type { Owner } from '../../domain/operation.ts'
import { ownerOf } from '../../domain/owner.ts'

/** For operators: exactly one of the two. */
interface Named {
  riderId?: string | undefined
  merchantId?: string | undefined
}

/** All instruments of the caller, or of the owner that an operator names, newest first; a sandbox has none. */
export async function listPayoutInstruments(ctx: Context, by: By, named: Named): Promise<PayoutInstrumentRow[]> {
  const owner = by.caller.kind === 'admin' ? namedOwner(by, named) : ownerOf(by)
  if (by.caller.isTest === true) return []
  return list(ctx.reads.in(by.scope).sql, owner)
}

function namedOwner(by: By, { riderId, merchantId }: Named): Owner {
  if (riderId !== undefined && merchantId === undefined) {
    held(by, 'admin.riders.read')
    return { kind: 'rider', id: riderId }
  }
  if (riderId === undefined && merchantId !== undefined) {
    held(by, 'admin.merchants.read')
    return { kind: 'merchant', id: merchantId }
  }
  const message = 'Name either rider_id or merchant_id.'
  throw validationError([{ field: 'rider_id', rule: 'required', message }])
}
