import { defineEntity, p } from '@mikro-orm/core'
import { ServiceError } from '@svc/errors'
import type {
  BILLING_STATUSES,
  DISPATCH_MODES,
  FULFILLMENT_MODES,
  MERCHANT_TIERS,
  MESSAGING_ENGINES,
} from './enumerations.ts'
import {
  assertApprovalTransition,
  assertKybTransition,
  type BusinessApprovalStatus,
  type KybStatus,
} from './merchant-transitions.ts'

const MerchantSchema = defineEntity({
  name: 'Merchant',
  tableName: 'merchants',
  properties: {
    id: p.uuid().primary(),
    name: p.text(),
    slug: p.text(),
    email: p.text(),
    phone: p.text().nullable(),
    merchantTier: p.text().$type<(typeof MERCHANT_TIERS)[number]>(),
    billingStatus: p.text().$type<(typeof BILLING_STATUSES)[number]>(),
    billingPeriodEnd: p.datetime().nullable(),
    billingIncludedAllowance: p.integer().nullable(),
    billingOverageFeeMinor: p.bigint('number').nullable(),
    kybStatus: p.text().$type<KybStatus>(),
    kybNotes: p.text().nullable(),
    kybReference: p.text().nullable(),
    businessApprovalStatus: p.text().$type<BusinessApprovalStatus>(),
    autoDispatchEnabled: p.boolean(),
    dispatchMode: p.text().$type<(typeof DISPATCH_MODES)[number]>(),
    dispatchBatchSize: p.integer(),
    fulfillmentMode: p.text().$type<(typeof FULFILLMENT_MODES)[number]>(),
    messagingEngine: p.text().$type<(typeof MESSAGING_ENGINES)[number]>(),
    currency: p.text(),
    timezone: p.text(),
    createdAt: p.datetime(),
    updatedAt: p.datetime(),
    version: p.integer().version(),
  },
})

/** What an operator may set; absent means unchanged, null clears. */
export interface MerchantPatch {
  merchantTier?: Merchant['merchantTier']
  billingStatus?: Merchant['billingStatus']
  billingPeriodEnd?: Date | null
  billingIncludedAllowance?: number | null
  billingOverageFeeMinor?: number | null
  autoDispatchEnabled?: boolean
  kybStatus?: KybStatus
  kybNotes?: string | null
  kybReference?: string | null
  businessApprovalStatus?: BusinessApprovalStatus
  dispatchMode?: Merchant['dispatchMode']
  dispatchBatchSize?: number
  fulfillmentMode?: Merchant['fulfillmentMode']
  messagingEngine?: Merchant['messagingEngine']
}

/** A tenant. Its standing decides what its live credentials may do. */
export class Merchant extends MerchantSchema.class {
  /** Live keys work while the business is verified and approved; leaving either suspends them. */
  mayTradeLive(): boolean {
    return this.kybStatus === 'verified' && this.businessApprovalStatus === 'approved'
  }

  /** Throws kyb_required unless live keys may exist and work. */
  assertMayTradeLive(): void {
    if (this.mayTradeLive()) return
    throw new ServiceError('kyb_required', {
      details: { kyb_status: this.kybStatus, business_approval_status: this.businessApprovalStatus },
    })
  }

  /** Throws billing_blocked for a merchant whose subscription is canceled. */
  assertMayMintKeys(): void {
    if (this.billingStatus === 'canceled')
      throw new ServiceError('billing_blocked', { details: { billing_status: this.billingStatus } })
  }

  /** Applies the patch, verification before approval, and returns whether anything changed. */
  change({ kybStatus, businessApprovalStatus, ...settings }: MerchantPatch, now: Date): boolean {
    const verified = kybStatus !== undefined && this.moveKyb(kybStatus)
    const approved = businessApprovalStatus !== undefined && this.moveApproval(businessApprovalStatus)
    const set = Object.entries(settings).filter(([name, value]) => {
      const present = this[name as keyof typeof settings]
      return (
        value !== undefined &&
        (present instanceof Date ? present.getTime() !== (value as Date | null)?.getTime() : present !== value)
      )
    })
    Object.assign(this, Object.fromEntries(set))
    const changed = verified || approved || set.length > 0
    if (changed) this.updatedAt = now
    return changed
  }

  private moveKyb(to: KybStatus): boolean {
    if (to === this.kybStatus) return false
    assertKybTransition(this.kybStatus, to)
    this.kybStatus = to
    // An approval is of the business as it was verified: it does not outlive that, and a later verification waits for its own.
    const isApproved = this.businessApprovalStatus === 'approved'
    if (isApproved || (to === 'verified' && this.businessApprovalStatus === 'none'))
      this.businessApprovalStatus = 'pending'
    return true
  }

  private moveApproval(to: BusinessApprovalStatus): boolean {
    if (to === this.businessApprovalStatus) return false
    assertApprovalTransition(this.businessApprovalStatus, to, this.kybStatus)
    this.businessApprovalStatus = to
    return true
  }
}

MerchantSchema.setClass(Merchant)
