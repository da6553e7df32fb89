import type { Tx } from '@svc/transact'
import type { WriteTenant } from '../domain/tenant.ts'

/** Marks an order that was created in this transaction as paid for; its record and its fact say so already. */
export async function markPaid(tx: Tx, { merchantId, isTest }: WriteTenant, orderId: string): Promise<void> {
  await tx.sql('UPDATE orders SET payment_verified = true WHERE merchant_id = $1 AND is_test = $2 AND id = $3', [
    merchantId,
    isTest,
    orderId,
  ])
}
