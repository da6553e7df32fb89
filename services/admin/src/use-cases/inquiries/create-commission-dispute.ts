import { ServiceError } from '@svc/errors'
import type { By, Tenant } from '@svc/grpc'
import { auditOf } from '@svc/transact'
import type { Context } from '../../context.ts'
import { disputesOf, insertContactInquiry } from '../../db/contact-inquiries.ts'
import { findMerchant } from '../../db/merchants.ts'
import { findOwner, lockUser } from '../../db/users.ts'
import { ContactInquiry } from '../../domain/contact-inquiry.ts'

interface CreateCommissionDispute {
  ledgerTransactionId: string
  message: string
}

/** A merchant contests so many entries at a time; more wait until an operator has reviewed some. */
const MOST_OPEN = 100

/**
 * A merchant contests an entry of its ledger; an operator gets back to the owner. A repeat for the same entry is the first
 * dispute.
 */
export async function createCommissionDispute(
  ctx: Context,
  { caller, scope }: By<Tenant>,
  { ledgerTransactionId, message }: CreateCommissionDispute,
): Promise<ContactInquiry> {
  if (!ctx.config.commissionDisputeIntakeEnabled) throw new ServiceError('feature_disabled')
  const { merchantId } = scope
  return ctx.transact(scope, async (tx) => {
    const owner = await findOwner(tx.em, merchantId)
    if (!owner)
      throw new ServiceError('validation_error', { message: 'The account has no owner whom we could answer.' })
    // Those of a merchant take turns at the row of its owner, so that none is counted twice or missed.
    const { email } = await lockUser(tx.em, merchantId, owner.id)
    const { known, open } = await disputesOf(tx.em, merchantId, ledgerTransactionId)
    if (known) return known
    if (open >= MOST_OPEN) throw new ServiceError('limit_reached', { details: { limit: MOST_OPEN } })
    const { name, phone } = await findMerchant(tx.em, merchantId)
    const inquiry = { source: 'commission_dispute', merchantId, name, email, phone: phone ?? null } as const
    const id = await insertContactInquiry(tx, { ...inquiry, message, ledgerTransactionId })
    tx.publish(
      auditOf(caller, {
        action: 'contact_inquiry.create',
        resourceType: 'contact_inquiry',
        resourceId: id,
        after: { source: inquiry.source, ledger_transaction_id: ledgerTransactionId },
      }),
    )
    return tx.em.findOneOrFail(ContactInquiry, { id, merchantId })
  })
}
