import type { Expiry } from '@svc/lifecycle'

/** People who wrote to us, with names and addresses: nobody answers after a year. */
export const oldInquiries: Expiry = { table: 'contact_inquiries', age: 'created_at', keep: `interval '1 year'` }
