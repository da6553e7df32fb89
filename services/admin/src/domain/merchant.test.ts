import { describe, expect, test } from '@jest/globals'
import { Merchant } from './merchant.ts'
import type { BusinessApprovalStatus, KybStatus } from './merchant-transitions.ts'

const now = new Date('2026-01-01T00:00:00Z')

function merchant(kybStatus: KybStatus, businessApprovalStatus: BusinessApprovalStatus): Merchant {
  return Object.assign(Object.create(Merchant.prototype) as Merchant, {
    kybStatus,
    businessApprovalStatus,
    billingStatus: 'active',
    billingPeriodEnd: null,
    kybNotes: null,
  })
}

describe('the standing of a merchant', () => {
  test('a fresh merchant is verified and approved in one patch, verification first', () => {
    const fresh = merchant('not_submitted', 'none')
    expect(fresh.change({ businessApprovalStatus: 'approved', kybStatus: 'verified' }, now)).toBe(true)
    expect(fresh.mayTradeLive()).toBe(true)
  })

  test('verification alone puts the business up for approval and trades nothing live yet', () => {
    const fresh = merchant('pending_review', 'none')
    fresh.change({ kybStatus: 'verified' }, now)
    expect(fresh.businessApprovalStatus).toBe('pending')
    expect(fresh.mayTradeLive()).toBe(false)
    expect(() => fresh.assertMayTradeLive()).toThrow(
      expect.objectContaining({
        code: 'kyb_required',
        details: { kyb_status: 'verified', business_approval_status: 'pending' },
      }),
    )
  })

  test.each<[KybStatus, BusinessApprovalStatus, object]>([
    ['not_submitted', 'none', { businessApprovalStatus: 'approved' }],
    ['verified', 'none', { businessApprovalStatus: 'approved' }],
    ['rejected', 'pending', { businessApprovalStatus: 'approved' }],
    ['verified', 'approved', { businessApprovalStatus: 'none' }],
    ['verified', 'approved', { kybStatus: 'not_submitted' }],
  ])('from %s and %s the patch %j is refused', (kyb, approval, patch) => {
    expect(() => merchant(kyb, approval).change(patch, now)).toThrow(
      expect.objectContaining({ code: 'invalid_transition' }),
    )
  })

  test.each<object>([
    { kybStatus: 'rejected' },
    { kybStatus: 'pending_review' },
    { businessApprovalStatus: 'rejected' },
  ])('%j ends live trading', (patch) => {
    const trading = merchant('verified', 'approved')
    trading.change(patch, now)
    expect(trading.mayTradeLive()).toBe(false)
  })

  test.each<KybStatus>(['rejected', 'pending_review'])(
    'verified again after %s, a business waits for a new approval',
    (left) => {
      const trading = merchant('verified', 'approved')
      trading.change({ kybStatus: left }, now)
      expect(trading.businessApprovalStatus).toBe('pending')
      trading.change({ kybStatus: 'verified' }, now)
      expect(trading.mayTradeLive()).toBe(false)
      trading.change({ businessApprovalStatus: 'approved' }, now)
      expect(trading.mayTradeLive()).toBe(true)
    },
  )

  test('an approval that was left to a business without verification ends when it is verified', () => {
    const left = merchant('pending_review', 'approved')
    left.change({ kybStatus: 'verified' }, now)
    expect(left.businessApprovalStatus).toBe('pending')
  })

  test('a patch that repeats what is there changes nothing', () => {
    const trading = merchant('verified', 'approved')
    trading.billingPeriodEnd = new Date(5)
    expect(trading.change({ kybStatus: 'verified', billingPeriodEnd: new Date(5), kybNotes: null }, now)).toBe(false)
    expect(trading.updatedAt).toBeUndefined()
    expect(trading.change({ billingPeriodEnd: null }, now)).toBe(true)
    expect(trading.billingPeriodEnd).toBeNull()
  })
})
