import { type Call, requireMerchant } from '@svc/grpc'

/** The tenant of a merchant that may read orders: a scope to write them includes it. */
export const requireReader = (call: Call) =>
  requireMerchant(call, call.caller.scopes.includes('orders:write') ? 'orders:write' : 'orders:read')
