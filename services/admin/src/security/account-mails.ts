import { randomUUID } from 'node:crypto'
import { openIntent } from '@svc/intents'
import type { Tx } from '@svc/transact'
import type { Context } from '../context.ts'

/** The kind of the intents by which the person of an account gets a mail. */
export const ACCOUNT_MAIL = 'account_mail'

/** A mail about the account that an address may have. */
export type AccountMail = LockMail

/** Wrong passwords have locked it. */
export interface LockMail {
  about: 'login_locked'
  audience: 'merchant' | 'operator'
  email: string
  /** From where the last of them came. */
  ip: string | null
  /** Locked is that network alone, which the account knows; else all that it does not know. */
  isKnownNetwork: boolean
  at: string
}

/** Of what a mail that could not be sent for so long tells is over. */
const HOURS_WORTH: Record<AccountMail['about'], number> = { login_locked: 1 }

export type DueMail = AccountMail & { worthUntil: string }

/**
 * Records a mail to whoever has an account with the address, once the transaction has committed. Whether anybody has is
 * looked up when it is sent: the work here, and the time it takes, is the same for every address.
 */
export async function openAccountMail(ctx: Context, tx: Tx, mail: AccountMail): Promise<void> {
  if (!ctx.mail) return
  const worthUntil = new Date(tx.now.getTime() + HOURS_WORTH[mail.about] * 3_600_000).toISOString()
  const payload: DueMail = { ...mail, worthUntil }
  await openIntent(tx, { kind: ACCOUNT_MAIL, subjectId: randomUUID(), merchantId: null, payload })
  tx.afterCommit(ctx.intents.wake)
}
