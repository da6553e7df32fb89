import { ServiceError } from '@svc/errors'
import type { Caller, Tenant } from '@svc/grpc'
import { auditOf } from '@svc/outbox'
import type { Context } from '../../context.ts'
import { insertInviteCode, lockInviteCode } from '../../db/invite-codes.ts'
import { type InviteCode, lifetimeHours, mintInviteCode } from '../../domain/invite.ts'

const HOUR_MS = 3_600_000

/** Makes a code by which one rider joins the merchant's fleet. The audit row knows the code's id and not the code. */
export async function createInviteCode(
  ctx: Context,
  tenant: Tenant,
  caller: Caller,
  expiresInHours: number | undefined,
): Promise<InviteCode> {
  const hours = lifetimeHours(expiresInHours)
  const { merchantId } = tenant
  return ctx.transact(tenant, async (tx) => {
    const expiresAt = new Date(tx.now.getTime() + hours * HOUR_MS)
    let made: InviteCode | null = null
    while (!made) made = await insertInviteCode(tx, { merchantId, code: mintInviteCode(), expiresAt })
    tx.publish(
      auditOf(caller, {
        action: 'invite_code.create',
        resourceType: 'invite_code',
        resourceId: made.id,
        merchantId,
        after: { expires_at: expiresAt },
      }),
    )
    return made
  })
}

/** Ends a code for good; one that is revoked or used already stays as it is. */
export async function revokeInviteCode(ctx: Context, tenant: Tenant, caller: Caller, id: string): Promise<void> {
  const { merchantId } = tenant
  await ctx.transact(tenant, async (tx) => {
    const code = await lockInviteCode(tx, merchantId, id)
    if (!code) throw new ServiceError('not_found')
    if (code.revokedAt || code.redeemedAt) return
    await tx.sql('UPDATE invite_codes SET revoked_at = $2 WHERE id = $1', [id, tx.now])
    tx.publish(
      auditOf(caller, { action: 'invite_code.revoke', resourceType: 'invite_code', resourceId: id, merchantId }),
    )
  })
}
