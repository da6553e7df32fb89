/** Whose rows a statement may touch. `isTest: null` sees both environments of the merchant. */
export interface Tenant {
  merchantId: string
  isTest: boolean | null
}
