import type { By, Tenant } from '@svc/grpc'
import { auditOf } from '@svc/transact'
import type { Context } from '../../context.ts'
import { insertInviteCode } from '../../db/invite-codes.ts'
import { type InviteCode, lifetimeHours, mintInviteCode } from '../../domain/invite.ts'

const HOUR_MS = 3_600_000

/** Makes a code by which one rider joins the merchant's fleet. The audit row knows the code's id and not the code. */
export async function createInviteCode(
  ctx: Context,
  by: By<Tenant>,
  expiresInHours: number | undefined,
): Promise<InviteCode> {
  const hours = lifetimeHours(expiresInHours)
  const { merchantId } = by.scope
  return ctx.transact(by.scope, async (tx) => {
    const expiresAt = new Date(tx.now.getTime() + hours * HOUR_MS)
    let made: InviteCode | null = null
    while (!made) made = await insertInviteCode(tx, { merchantId, code: mintInviteCode(), expiresAt })
    tx.publish(
      auditOf(by, {
        action: 'invite_code.create',
        resourceType: 'invite_code',
        resourceId: made.id,
        after: { expires_at: expiresAt },
      }),
    )
    return made
  })
}
