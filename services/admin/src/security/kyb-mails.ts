import type { OrmTx } from '@svc/transact'
import type { Context } from '../context.ts'
import { findOwner } from '../db/users.ts'
import { decisionBetween } from '../domain/kyb.ts'
import type { Merchant } from '../domain/merchant.ts'
import { openAccountMail } from './account-mails.ts'

/** Tells the owner of a business what was decided about it, if anything was. */
export async function openKybMail(
  ctx: Context,
  tx: OrmTx,
  was: Pick<Merchant, 'kybStatus' | 'businessApprovalStatus'>,
  merchant: Merchant,
): Promise<void> {
  const decision = decisionBetween(was, merchant)
  const owner = decision && (await findOwner(tx.em, merchant.id))
  if (!owner) return
  const mail = { about: 'kyb_decided', audience: 'merchant', email: owner.email, ip: null, decision } as const
  await openAccountMail(ctx, tx, mail, merchant.id)
}
