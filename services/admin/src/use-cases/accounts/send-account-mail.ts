import type { Intent } from '@svc/intents'
import { createLogger } from '@svc/logging'
import { MailRefusedError } from '@svc/mail'
import type { OrmTx } from '@svc/transact'
import type { Context } from '../../context.ts'
import { makeToken } from '../../db/account-tokens.ts'
import { findOperatorByEmail } from '../../db/operators.ts'
import { findUserByEmail, lockUser } from '../../db/users.ts'
import { accountToken, TOKEN_HOURS } from '../../domain/account-token.ts'
import { userAudit } from '../../events.ts'
import {
  emailVerificationMail,
  kybMail,
  lockMail,
  passwordChangedMail,
  passwordEndedMail,
  passwordResetMail,
} from '../../messages/account-mail.ts'
import type { DueMail, TokenMail } from '../../security/account-mails.ts'

const logger = createLogger('account-mails')

/**
 * Sends a mail to whoever has an account with its address; to nobody where none has, or where it would come too late. One
 * mail per intent, however often it is tried: its text is the same each time.
 */
export async function sendAccountMail(ctx: Context, { id, payload }: Intent): Promise<object> {
  const { mail } = ctx
  const due = payload as DueMail
  if (!mail) return { mail: 'no_provider' }
  const letter = await ctx.transact('every tenant', (tx) => letterOf(ctx, tx, id, due))
  if (!letter) return { mail: 'nobody' }
  try {
    await mail.sendMail({ ...letter, to: due.email, idempotencyKey: id })
    return { mail: 'sent' }
  } catch (err) {
    if (!(err instanceof MailRefusedError)) throw err
    // Not the error: the provider's words may quote the address.
    logger.error({ status: err.status, intent: id, about: due.about }, 'the mail provider refuses a mail for good')
    return { mail: 'refused' }
  }
}

async function letterOf(ctx: Context, tx: OrmTx, id: string, due: DueMail) {
  if (tx.now.toISOString() > due.worthUntil) return undefined
  switch (due.about) {
    case 'login_locked': {
      const find = due.audience === 'operator' ? findOperatorByEmail : findUserByEmail
      return (await find(tx.em, due.email)) ? lockMail(due) : undefined
    }
    case 'password_changed':
      return passwordChangedMail(due)
    case 'password_ended':
      return passwordEndedMail(due)
    case 'kyb_decided':
      return kybMail(due)
    default:
      return tokenLetter(ctx, tx, id, due)
  }
}

const PAGES = { email_verification: 'verify-email', password_reset: 'reset-password' } as const

/** The token of the mail has the mail's id: a mail that is tried again holds the same one. */
async function tokenLetter({ config }: Context, tx: OrmTx, id: string, { about: purpose, email, ip }: TokenMail) {
  const known = await findUserByEmail(tx.em, email)
  if (!known) return undefined
  const user = await lockUser(tx.em, known.merchantId, known.id)
  if (purpose === 'email_verification' && user.emailVerifiedAt) return undefined
  const { merchantId, id: userId } = user
  const made = await makeToken(tx, { id, merchantId, userId, purpose, hours: TOKEN_HOURS[purpose] })
  if (made === 'ended') return undefined
  // Anybody may ask for it: the account is what was acted on, not who acted.
  if (made === 'made' && purpose === 'password_reset') {
    const anyone = { actor: { type: 'system', id: 'public' }, ...(ip !== null && { ip }) }
    tx.publish(userAudit(anyone, user, 'user.password_reset_request'))
  }
  const pages = config.accountPagesUrl!
  const page = new URL(PAGES[purpose], pages.endsWith('/') ? pages : `${pages}/`)
  page.searchParams.set('token', accountToken(config.passwordPepper, purpose, id))
  return purpose === 'password_reset' ? passwordResetMail(email, page.href) : emailVerificationMail(email, page.href)
}
