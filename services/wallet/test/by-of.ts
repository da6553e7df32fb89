import { type By, type Caller, systemBy, type Tenant } from '@svc/grpc'

/** The caller as a use case gets it. */
export const byOf = (caller: Caller): By & By<Tenant> => ({
  ...systemBy('wallet'),
  caller,
  scope: (caller.merchantId ? { merchantId: caller.merchantId, isTest: caller.isTest } : 'every tenant') as Tenant,
})
