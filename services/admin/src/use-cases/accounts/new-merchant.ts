import type { Tx } from '@svc/outbox'
import { Merchant } from '../../domain/merchant.ts'

interface NewMerchant {
  id: string
  name: string
  slug: string
  email: string
  phone: string | null
}

/** A merchant as every merchant begins: paying as it goes, nothing submitted, nothing approved. */
export function newMerchant(tx: Tx, given: NewMerchant): Merchant {
  return tx.em.create(Merchant, {
    ...given,
    merchantTier: 'pay_as_you_go',
    billingStatus: 'active',
    kybStatus: 'not_submitted',
    businessApprovalStatus: 'none',
    autoDispatchEnabled: true,
    dispatchMode: 'one_by_one',
    dispatchBatchSize: 3,
    fulfillmentMode: 'freelancer',
    messagingEngine: 'rules',
    currency: 'NGN',
    timezone: 'Africa/Lagos',
    createdAt: tx.now,
    updatedAt: tx.now,
    version: 1,
  })
}
