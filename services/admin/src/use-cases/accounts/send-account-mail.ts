import type { Intent } from '@svc/intents'
import { createLogger } from '@svc/logging'
import { MailRefusedError } from '@svc/mail'
import type { OrmTx } from '@svc/transact'
import type { Context } from '../../context.ts'
import { findOperatorByEmail } from '../../db/operators.ts'
import { findUserByEmail } from '../../db/users.ts'
import { lockMail } from '../../messages/account-mail.ts'
import type { DueMail } from '../../security/account-mails.ts'

const logger = createLogger('account-mails')

/**
 * Sends a mail to whoever has an account with its address; to nobody where none has, or where it would come too late. One
 * mail per intent, however often it is tried: its text is the same each time.
 */
export async function sendAccountMail(ctx: Context, { id, payload }: Intent): Promise<object> {
  const { mail } = ctx
  const due = payload as DueMail
  if (!mail) return { mail: 'no_provider' }
  const letter = await ctx.transact('every tenant', (tx) => letterOf(tx, due))
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

async function letterOf(tx: OrmTx, due: DueMail) {
  if (tx.now.toISOString() > due.worthUntil) return undefined
  const find = due.audience === 'operator' ? findOperatorByEmail : findUserByEmail
  return (await find(tx.em, due.email)) ? lockMail(due) : undefined
}
