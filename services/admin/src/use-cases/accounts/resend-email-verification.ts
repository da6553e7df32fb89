import type { By } from '@svc/grpc'
import type { Context } from '../../context.ts'
import { normalizedEmail } from '../../domain/email.ts'
import { openAccountMail } from '../../security/account-mails.ts'

/** Sends another link that confirms the address, to whoever has an account with it that is not confirmed. Tells nobody whether one has. */
export async function resendEmailVerification(ctx: Context, { caller }: By, input: { email: string }): Promise<void> {
  const email = normalizedEmail(input.email)
  await ctx.transact('every tenant', (tx) =>
    openAccountMail(ctx, tx, { about: 'email_verification', audience: 'merchant', email, ip: caller.ip ?? null }),
  )
}
