import { Router } from 'express'
import { hmacHooks } from '../hmac-hooks.ts'
import type { Provider, ProviderSettings } from '../provider.ts'
import type { World } from '../world.ts'

/** The payment provider of merchants' own accounts: the platform asks it for nothing, and hears of payments by its hooks. */
export function paymentsB(_world: World, { paymentsBSecret: secret }: ProviderSettings): Provider {
  return {
    name: 'payments-b',
    router: Router(),
    reset() {},
    hooks: hmacHooks({
      algorithm: 'sha256',
      encoding: 'base64',
      header: 'payments-b-signature',
      secret,
      // Nobody's: orders to emit name the merchant's.
      defaultPath: '/webhooks/payments-b/00000000-0000-4000-8000-000000000000',
      others: { plain: { 'verif-hash': secret } },
    }),
  }
}
