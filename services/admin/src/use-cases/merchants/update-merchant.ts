import { type By, type Caller, held } from '@svc/grpc'
import type { OrmTx } from '@svc/transact'
import type { Context } from '../../context.ts'
import { raiseLiveKeyEpochs } from '../../db/api-keys.ts'
import { infectedDocuments } from '../../db/kyb-documents.ts'
import { lockMerchant } from '../../db/merchants.ts'
import { assertNothingInfected } from '../../domain/kyb.ts'
import type { Merchant, MerchantPatch } from '../../domain/merchant.ts'
import { permissionsFor } from '../../domain/permissions-for.ts'
import { merchantAudit, merchantUpdated } from '../../events.ts'
import { merchantMessage } from '../../messages/merchant.ts'
import type { CredentialEpoch } from '../../peers/epochs.ts'
import { openKybMail } from '../../security/kyb-mails.ts'

/**
 * Changes a merchant for an operator. Where the change suspends or releases its live keys, every gateway asks again for
 * them before this returns. A patch that changes nothing leaves no trace. The owner gets a mail about what was decided.
 */
export async function updateMerchant(
  ctx: Context,
  by: By<'every tenant'>,
  { id: merchantId, patch }: { id: string; patch: MerchantPatch },
): Promise<Merchant> {
  for (const permission of permissionsFor(patch)) held(by, permission)
  const tenant = { merchantId, isTest: null }
  const { merchant, epochs } = await ctx.transact(tenant, async (tx) => {
    const { kybStatus, businessApprovalStatus } = await lockMerchant(tx.em, merchantId)
    const applied = await applyMerchantPatch(tx, by.caller, merchantId, patch)
    await openKybMail(ctx, tx, { kybStatus, businessApprovalStatus }, applied.merchant)
    return applied
  })
  await ctx.epochs.publish(epochs)
  return merchant
}

/** The same within a transaction of the caller's, who publishes the epochs after it. */
export async function applyMerchantPatch(
  tx: OrmTx,
  caller: Caller,
  merchantId: string,
  patch: MerchantPatch,
): Promise<{ merchant: Merchant; epochs: CredentialEpoch[] }> {
  const merchant = await lockMerchant(tx.em, merchantId)
  const before = merchantMessage(merchant)
  const wasVerified = merchant.kybStatus === 'verified'
  const tradedLive = merchant.mayTradeLive()
  if (!merchant.change(patch, tx.now)) return { merchant, epochs: [] }
  const rises = (merchant.kybStatus === 'verified' && !wasVerified) || (merchant.mayTradeLive() && !tradedLive)
  if (rises) assertNothingInfected(await infectedDocuments(tx, merchantId))
  await tx.em.flush()
  tx.publish(merchantUpdated(merchant))
  tx.publish(merchantAudit(caller, merchant, before))
  const epochs =
    merchant.mayTradeLive() === tradedLive ? [] : await raiseLiveKeyEpochs(tx, { merchantId, isTest: null })
  return { merchant, epochs }
}
