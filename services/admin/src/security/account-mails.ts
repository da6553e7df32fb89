import { randomUUID } from 'node:crypto'
import { openIntent } from '@svc/intents'
import type { Tx } from '@svc/transact'
import type { Context } from '../context.ts'
import { TOKEN_HOURS } from '../domain/account-token.ts'
import type { KybDecision } from '../domain/kyb.ts'

/** The kind of the intents by which the person of an account gets a mail. */
export const ACCOUNT_MAIL = 'account_mail'

/** A mail about the account that an address may have. */
export type AccountMail = LockMail | PasswordChangedMail | TokenMail | KybMail

interface Addressed {
  audience: 'merchant' | 'operator'
  email: string
  /** From where that was done of which the mail tells. */
  ip: string | null
}

/** Wrong passwords have locked it. */
export interface LockMail extends Addressed {
  about: 'login_locked'
  /** Locked is that network alone, which the account knows; else all that it does not know. */
  isKnownNetwork: boolean
  at: string
}

/** It has another password, or none that counts any more. */
export interface PasswordChangedMail extends Addressed {
  about: 'password_changed' | 'password_ended'
  at: string
  /** Keys and grants have ended with the password. */
  isPastEnded?: boolean
}

/** Its business was verified, approved, or neither. */
export interface KybMail extends Addressed {
  about: 'kyb_decided'
  decision: KybDecision
}

/** A link with a token, which is made when the mail is sent. */
export interface TokenMail extends Addressed {
  about: keyof typeof TOKEN_HOURS
}

/** What a mail tells is over when it could not be sent for so long. */
const HOURS_WORTH: Record<AccountMail['about'], number> = {
  ...TOKEN_HOURS,
  login_locked: 1,
  password_changed: 72,
  password_ended: 72,
  kyb_decided: 72,
}

export type DueMail = AccountMail & { worthUntil: string }

/**
 * Records a mail to whoever has an account with the address, once the transaction has committed; `merchantId` in one of a
 * tenant. Whether anybody has is looked up when it is sent: the work here, and the time it takes, is the same for every
 * address.
 */
export async function openAccountMail(
  ctx: Context,
  tx: Tx,
  mail: AccountMail,
  merchantId: string | null = null,
): Promise<void> {
  if (!ctx.mail) return
  const worthUntil = new Date(tx.now.getTime() + HOURS_WORTH[mail.about] * 3_600_000).toISOString()
  const payload: DueMail = { ...mail, worthUntil }
  await openIntent(tx, { kind: ACCOUNT_MAIL, subjectId: randomUUID(), merchantId, payload })
  tx.afterCommit(ctx.intents.wake)
}
