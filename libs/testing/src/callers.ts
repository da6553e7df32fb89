import { randomUUID } from 'node:crypto'
import { PERMISSIONS, SCOPES } from '@svc/credentials'
import type { Caller } from '@svc/grpc'

/** The secret with which tests sign caller metadata. */
export const TEST_SECRET = 'test-secret-of-callers-0123456789abcdef'

/** A merchant's test key with every scope, of a tenant of its own unless `merchantId` is given. */
export function merchantCaller(overrides: Partial<Caller> = {}): Caller {
  const keyId = randomUUID()
  return {
    kind: 'merchant',
    merchantId: randomUUID(),
    isTest: true,
    scopes: SCOPES,
    actor: { type: 'merchant_key', id: keyId },
    credential: `key:${keyId}`,
    standing: { billingStatus: 'active', kybStatus: 'verified', businessApprovalStatus: 'approved' },
    requestId: randomUUID(),
    ...overrides,
  }
}

/** An operator with every permission; name fewer in `permissions`. */
export function adminCaller(overrides: Partial<Caller> = {}): Caller {
  const userId = randomUUID()
  return {
    kind: 'admin',
    isTest: null,
    scopes: [],
    permissions: PERMISSIONS,
    actor: { type: 'admin', id: userId },
    credential: `user:${userId}`,
    requestId: randomUUID(),
    ...overrides,
  }
}

/** A rider with a token of its own, of no fleet unless `merchantId` is given. */
export function riderCaller(riderId: string, overrides: Partial<Caller> = {}): Caller {
  return {
    kind: 'rider',
    isTest: false,
    scopes: ['riders:location'],
    actor: { type: 'rider', id: riderId },
    credential: `rider:${riderId}`,
    requestId: randomUUID(),
    ...overrides,
  }
}
