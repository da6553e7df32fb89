import type { Order as OrderMessage } from '@svc/contracts/order/v1/order'
import { CreateOrderResponse } from '@svc/contracts/order/v1/order_service'

export interface Creation {
  order: OrderMessage
  /** The order existed already. */
  idempotent: boolean
  /** This reply was given to the idempotency key before. */
  replayed: boolean
  /** What is worth a look; of repeats nothing. */
  warnings: string[]
}

/** The bytes to keep for an idempotency key. */
export const encodeReply = (creation: Creation): Buffer => Buffer.from(CreateOrderResponse.encode(creation).finish())

/**
 * The reply that was kept. That of a creation lacks the order's times, which were not known when it was written: they
 * equal `at`, the time at which it was kept.
 */
export function decodeReply(bytes: Buffer, at: Date): Creation {
  const { order, idempotent } = CreateOrderResponse.decode(bytes)
  const { created_at = at.toISOString(), updated_at = at.toISOString(), ...rest } = order as OrderMessage
  return { order: { ...rest, created_at, updated_at }, idempotent, replayed: true, warnings: [] }
}
