import type { Context } from '../../context.ts'

/** Whether merchants may log in at an identity provider. */
export const getMerchantSignOn = ({ signOn }: Context): { available: boolean } => ({
  available: signOn.merchant !== null,
})
