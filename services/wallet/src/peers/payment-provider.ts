import { type Payments, paymentsClient } from '@svc/payments'
import type { Config } from '../config.ts'

/** The payment provider, or null where the operator has configured none. */
export function paymentProvider({ paymentsApiUrl, paymentsSecretKey }: Config): Payments | null {
  if (paymentsApiUrl === undefined || paymentsSecretKey === undefined) return null
  return paymentsClient({ baseUrl: paymentsApiUrl, secretKey: paymentsSecretKey })
}
