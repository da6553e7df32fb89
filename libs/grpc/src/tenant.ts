/** Whose rows a caller sees: one merchant's, of one environment or (null) of both. */
export interface Tenant {
  merchantId: string
  isTest: boolean | null
}

/** What an access gives to the callers it admits: the rows of their tenant, or no wall at all. */
export type Scope = Tenant | 'every tenant'
