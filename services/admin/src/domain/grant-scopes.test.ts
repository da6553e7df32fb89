import { describe, expect, test } from '@jest/globals'
import { type MerchantScope, SCOPES } from '@svc/credentials'
import { grantScopes } from './grant-scopes.ts'

describe('scopes of a new key', () => {
  test('without a wish it gets what its maker holds', () => {
    const held = ['keys:manage', 'orders:read']
    expect(grantScopes({ requested: [], held, enterpriseTier: false })).toEqual(['orders:read', 'keys:manage'])
  })

  test('what is not held is not granted', () => {
    const granting = {
      requested: ['orders:read', 'orders:write'] satisfies MerchantScope[],
      held: ['keys:manage', 'orders:read'],
      enterpriseTier: false,
    }
    expect(() => grantScopes(granting)).toThrow(
      expect.objectContaining({ code: 'forbidden', details: { required: ['orders:write'] } }),
    )
  })

  test('the enterprise tier grants every scope, held or not', () => {
    expect(grantScopes({ requested: [...SCOPES], held: ['keys:manage'], enterpriseTier: true })).toEqual(SCOPES)
  })

  test('a scope asked for twice is granted once', () => {
    expect(grantScopes({ requested: ['orders:read', 'orders:read'], held: SCOPES, enterpriseTier: false })).toEqual([
      'orders:read',
    ])
  })
})
