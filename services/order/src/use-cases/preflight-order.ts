import { ServiceError } from '@svc/errors'
import type { By, Tenant } from '@svc/grpc'
import type { Context } from '../context.ts'
import { duplicate } from '../creations/answer-earlier.ts'
import { refusalsOf } from '../creations/judge-draft.ts'
import { findPin } from '../db/address-pins.ts'
import { findByNaturalKey } from '../db/orders.ts'
import { addressKey, addressWarnings } from '../domain/address-memory.ts'
import { type CreationRequest, type OrderDraft, readDraft } from '../domain/order-draft.ts'
import { readTimes } from '../domain/order-times.ts'
import type { Price } from '../domain/price.ts'
import { type WriteTenant, writeTenant } from '../domain/tenant.ts'

export interface Preflight {
  refusals: ServiceError[]
  price: Price | null
  warnings: string[]
}

/**
 * Everything for which a creation of this order would be refused at this moment, in the order in which it judges, and what
 * the order would cost. Nothing is stored, held or counted; a moment later the answer may be another.
 */
export async function preflightOrder(ctx: Context, by: By<Tenant>, request: CreationRequest): Promise<Preflight> {
  const tenant = writeTenant(by.scope)
  const draft = draftOf(request)
  // What cannot be read cannot be judged any further.
  if (draft instanceof ServiceError) return { refusals: [draft], price: null, warnings: [] }
  const known = await whatIsKnown(ctx, tenant, draft)
  const { refusals, price } = await refusalsOf(ctx, by, draft)
  return { refusals: [...known.refusals, ...refusals], price, warnings: known.warnings }
}

function draftOf(request: CreationRequest): OrderDraft | ServiceError {
  try {
    return readDraft(request)
  } catch (error) {
    if (error instanceof ServiceError) return error
    throw error
  }
}

/** What this service knows by itself: another order with the natural key, times that do not fit, and where the address is. */
const whatIsKnown = (
  ctx: Context,
  tenant: WriteTenant,
  draft: OrderDraft,
): Promise<Pick<Preflight, 'refusals' | 'warnings'>> =>
  ctx.transact(tenant, async (tx) => {
    const order = await findByNaturalKey(tx.em, tenant, draft)
    // The same order again is answered, whatever its times are by now.
    if (order?.requestFingerprint.equals(draft.fingerprint)) return { refusals: [], warnings: [] }
    const times = readTimes(draft.standardized, tx.now)
    const key = addressKey(tenant, draft.standardized)
    const pin = key && (await findPin(tx, tenant, key))
    return {
      refusals: [...(order ? [duplicate(order, draft)] : []), ...(times instanceof ServiceError ? [times] : [])],
      warnings: addressWarnings(pin, draft.dropoff),
    }
  })
