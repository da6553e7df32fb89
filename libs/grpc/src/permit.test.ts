import { describe, expect, test } from '@jest/globals'
import { type Caller, systemCaller } from './caller.ts'
import { requireAdmin, requireMerchant, tenantOf } from './permit.ts'

const merchant: Caller = {
  kind: 'merchant',
  merchantId: 'm-1',
  isTest: false,
  scopes: ['orders:read'],
  actor: { type: 'merchant_key', id: 'k' },
  requestId: 'r',
}
const rider: Caller = { ...merchant, kind: 'rider', actor: { type: 'rider', id: 'rd' } }
const admin: Caller = {
  kind: 'admin',
  isTest: null,
  scopes: [],
  permissions: ['admin.orders.read'],
  actor: { type: 'admin', id: 'a' },
  requestId: 'r',
}
const forbidden = expect.objectContaining({ code: 'forbidden' })

describe('a tenant', () => {
  test('is the merchant and the environment of the caller', () => {
    expect(tenantOf(merchant)).toEqual({ merchantId: 'm-1', isTest: false })
    expect(tenantOf(rider)).toEqual({ merchantId: 'm-1', isTest: false })
  })

  test.each([admin, systemCaller('webhook'), { ...merchant, merchantId: '' }])('is refused to %j', (caller) => {
    expect(() => tenantOf(caller)).toThrow(forbidden)
  })
})

describe('a re-check', () => {
  test('lets a merchant through with the scope and names the one that is missing', () => {
    expect(requireMerchant({ caller: merchant }, 'orders:read')).toEqual({ merchantId: 'm-1', isTest: false })
    expect(() => requireMerchant({ caller: merchant }, 'orders:write')).toThrow(
      expect.objectContaining({ code: 'forbidden', details: { required: ['orders:write'] } }),
    )
  })

  test('lets nobody else pass for a merchant or an operator', () => {
    for (const caller of [admin, rider, systemCaller('x')]) expect(() => requireMerchant({ caller })).toThrow(forbidden)
    for (const caller of [merchant, rider, systemCaller('x')]) expect(() => requireAdmin({ caller })).toThrow(forbidden)
  })

  test('lets an operator through with the permission only', () => {
    expect(requireAdmin({ caller: admin }, 'admin.orders.read')).toBe(admin)
    expect(() => requireAdmin({ caller: admin }, 'admin.orders.write')).toThrow(
      expect.objectContaining({ code: 'forbidden', details: { required: ['admin.orders.write'] } }),
    )
    expect(() => requireAdmin({ caller: { ...admin, permissions: undefined } }, 'admin.orders.read')).toThrow(forbidden)
  })
})
