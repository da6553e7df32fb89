import { describe, expect, test } from '@jest/globals'
import { SCOPES } from '@svc/credentials'
import { grantScopes } from './grant-scopes.ts'

describe('scopes of a new key', () => {
  test('without a wish it gets what its maker holds', () => {
    const held = ['keys:manage', 'orders:read']
    expect(grantScopes({ requested: [], held, enterpriseTier: false })).toEqual(['orders:read', 'keys:manage'])
  })

  test('nobody grants what it does not hold', () => {
    const granting = {
      requested: ['orders:read', 'orders:write'],
      held: ['keys:manage', 'orders:read'],
      enterpriseTier: false,
    }
    expect(() => grantScopes(granting)).toThrow(
      expect.objectContaining({ code: 'forbidden', details: { required: ['orders:write'] } }),
    )
  })

  test('the enterprise tier grants every scope that exists, and no other', () => {
    expect(grantScopes({ requested: [...SCOPES], held: ['keys:manage'], enterpriseTier: true })).toEqual(SCOPES)
    expect(() => grantScopes({ requested: ['orders:read', 'wallet:read'], held: [], enterpriseTier: true })).toThrow(
      expect.objectContaining({
        code: 'validation_error',
        details: expect.objectContaining({ field: 'scopes[1]', allowed: SCOPES }),
      }),
    )
  })

  test('a scope asked for twice is granted once', () => {
    expect(grantScopes({ requested: ['orders:read', 'orders:read'], held: SCOPES, enterpriseTier: false })).toEqual([
      'orders:read',
    ])
  })
})
