import { randomUUID } from 'node:crypto'
import type { Expiry } from '@svc/lifecycle'
import type { Tx } from '@svc/transact'

/** People who wrote to us, with names and addresses: after a year no answer is owed. */
export const oldInquiries: Expiry = { table: 'contact_inquiries', age: 'created_at', keep: `interval '1 year'` }

interface ContactInquiry {
  merchantId: string
  name: string
  email: string
  phone: string | null
}

/** Notes a person who signed up, to get back to. */
export async function insertContactInquiry(tx: Tx, { merchantId, name, email, phone }: ContactInquiry): Promise<void> {
  await tx.sql(
    `INSERT INTO contact_inquiries (id, merchant_id, source, name, email, phone, review_status, created_at)
     VALUES ($1, $2, 'self_serve_signup', $3, $4, $5, 'open', $6)`,
    [randomUUID(), merchantId, name, email, phone, tx.now],
  )
}
