import type { By } from '@svc/grpc'
import type { Context } from '../../context.ts'
import { endTokens, readToken } from '../../db/account-tokens.ts'
import { lockUser } from '../../db/users.ts'
import { assertGood, idOfToken } from '../../domain/account-token.ts'
import { asUser, userAudit } from '../../events.ts'

/** Whoever read the mail has the address. A token does so once. */
export async function confirmEmailVerification(
  ctx: Context,
  { caller }: By,
  { token }: { token: string },
): Promise<void> {
  const id = idOfToken(ctx.config.passwordPepper, 'email_verification', token)
  const { merchantId, userId } = assertGood(await ctx.transact('every tenant', (tx) => readToken(tx, id)))
  await ctx.transact({ merchantId, isTest: null }, async (tx) => {
    const user = await lockUser(tx.em, merchantId, userId)
    // Of those that came at once one finds it unused: the user's row is held.
    assertGood(await readToken(tx, id))
    await endTokens(tx, userId, 'email_verification')
    user.confirmEmail(tx.now)
    tx.publish(userAudit(asUser(caller, user), user, 'user.email_verify'))
  })
}
