import { randomUUID } from 'node:crypto'
import { type EntityManager, LockMode } from '@mikro-orm/postgresql'
import { ServiceError } from '@svc/errors'
import { isUuid, type Page } from '@svc/inputs'
import type { Expiry } from '@svc/lifecycle'
import type { Tx } from '@svc/transact'
import { ContactInquiry } from '../domain/contact-inquiry.ts'
import type { InquirySource, ReviewStatus } from '../domain/enumerations.ts'

/** People who wrote to us, with names and addresses: after a year no answer is owed. */
export const oldInquiries: Expiry = { table: 'contact_inquiries', age: 'created_at', keep: `interval '1 year'` }

interface NewInquiry {
  source: InquirySource
  merchantId: string | null
  name: string
  email: string
  phone: string | null
  message: string | null
  ledgerTransactionId?: string
}

/** Notes a person to get back to; the id of what was noted. */
export async function insertContactInquiry(tx: Tx, inquiry: NewInquiry): Promise<string> {
  const { source, merchantId, name, email, phone, message, ledgerTransactionId = null } = inquiry
  const id = randomUUID()
  await tx.sql(
    `INSERT INTO contact_inquiries (id, merchant_id, source, name, email, phone, message, ledger_transaction_id, review_status,
       created_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, 'open', $9)`,
    [id, merchantId, source, name, email, phone, message, ledgerTransactionId, tx.now],
  )
  return id
}

/** The merchant's dispute of that entry, or null; and how many of its disputes are open. */
export async function disputesOf(
  em: EntityManager,
  merchantId: string,
  ledgerTransactionId: string,
): Promise<{ known: ContactInquiry | null; open: number }> {
  const source = 'commission_dispute'
  const known = await em.findOne(ContactInquiry, { merchantId, source, ledgerTransactionId })
  const isOpen = { merchantId, source, reviewStatus: 'open', ledgerTransactionId: { $ne: null } } as const
  return { known, open: await em.count(ContactInquiry, isOpen) }
}

export interface InquiryFilter {
  email?: string
  source?: InquirySource
  reviewStatus?: ReviewStatus
}

/** Newest first, with the number of all. */
export function pageOfContactInquiries(
  em: EntityManager,
  filter: InquiryFilter,
  { limit, offset }: Page,
): Promise<[ContactInquiry[], number]> {
  return em.findAndCount(ContactInquiry, filter, { limit, offset, orderBy: { createdAt: 'desc', id: 'desc' } })
}

/** The inquiry, held against other writers; not_found for an unknown one. */
export async function lockContactInquiry(em: EntityManager, id: string): Promise<ContactInquiry> {
  const lock = { lockMode: LockMode.PESSIMISTIC_WRITE } as const
  const inquiry = isUuid(id) ? await em.findOne(ContactInquiry, { id }, lock) : null
  if (!inquiry) throw new ServiceError('not_found')
  return inquiry
}
