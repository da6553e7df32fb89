/** What a list of orders is asked for: every field that is stated has to match. */
export interface OrderFilter {
  merchantId?: string | undefined
  riderId?: string | undefined
  source?: string | undefined
  externalOrderId?: string | undefined
  isTest?: boolean | undefined
  status?: string | undefined
  paymentVerified?: boolean | undefined
}
