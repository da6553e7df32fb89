import type { By } from '@svc/grpc'
import type { Context } from '../../context.ts'
import { normalizedEmail } from '../../domain/email.ts'
import { openAccountMail } from '../../security/account-mails.ts'

/** Sends a link by which the password can be chosen anew, to whoever has an account with the address. Tells nobody whether one has. */
export async function requestPasswordReset(ctx: Context, { caller }: By, input: { email: string }): Promise<void> {
  const email = normalizedEmail(input.email)
  await ctx.transact('every tenant', (tx) =>
    openAccountMail(ctx, tx, { about: 'password_reset', audience: 'merchant', email, ip: caller.ip ?? null }),
  )
}
