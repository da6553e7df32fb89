import type { KybDecision } from '../domain/kyb.ts'
import type { KybMail, LockMail, PasswordChangedMail } from '../security/account-mails.ts'

interface Letter {
  template: string
  subject: string
  text: string
}

const letter = (template: string, subject: string, paragraphs: readonly string[]): Letter => ({
  template,
  subject,
  text: ['Hello,', ...paragraphs].join('\n\n'),
})

/** The mail to somebody whose account was locked by wrong passwords. */
export function lockMail({ email, audience, ip, isKnownNetwork, at }: LockMail): Letter {
  const from = ip ?? 'an unknown address'
  return letter('login_locked', 'Log-ins to your account are refused for up to an hour', [
    `too many wrong passwords were entered for ${email}, the last from ${from} at ${at}. Nobody has got in by them.`,
    isKnownNetwork
      ? 'Log-ins from that network are refused for up to an hour. From other networks you can log in.'
      : 'Log-ins are refused for up to an hour, but not from networks from which you have logged in within 30 days.',
    'If this was you, wait an hour. If it was not you, and your password is short or used elsewhere too, choose another one.',
    audience === 'operator'
      ? 'If you have forgotten it, another administrator can make you a new identity.'
      : 'If you have forgotten it, ask for a link by which you choose another.',
  ])
}

/** The mail with the link by which a password is chosen anew. */
export const passwordResetMail = (email: string, link: string): Letter =>
  letter('password_reset', 'Choose another password', [
    `somebody asked to choose another password for ${email}. If it was you, follow this link within an hour:`,
    link,
    'It works once. If it was not you, do nothing: your password stays as it is.',
  ])

/** The mail with the link that confirms an address. */
export const emailVerificationMail = (email: string, link: string): Letter =>
  letter('email_verification', 'Confirm your e-mail address', [
    `an account was made with ${email}. If it was you, confirm the address by this link within 48 hours:`,
    link,
    'If it was not you, do not follow it: whoever made the account chose its password, and could then use it as you. To have the account for yourself, ask for a link by which you choose another password.',
  ])

const PAST_ENDED =
  'API keys and grants of the account have ended, as whoever made them had not shown to read these mails: make new ones. If it was not you who made the account, look at its webhook, channels and bank accounts too.'

/** The mail to somebody whose password is another one. */
export function passwordChangedMail({ email, ip, at, isPastEnded }: PasswordChangedMail): Letter {
  return letter('password_changed', 'Your password was changed', [
    `the password of ${email} was changed at ${at}, from ${ip ?? 'an unknown address'}. Everybody who was logged in has to log in again.`,
    isPastEnded ? PAST_ENDED : 'API keys go on working.',
    'If this was not you: ask for a link by which you choose another password, revoke the API keys that you do not know, and write to support.',
  ])
}

/** The mail to somebody who has come in by an identity provider where no mail has ever chosen the account's password. */
export function passwordEndedMail({ email, at, isPastEnded }: PasswordChangedMail): Letter {
  return letter('password_ended', 'The password of your account has ended', [
    `at ${at} the account of ${email} was entered by your identity provider for the first time. Its password was chosen before anybody had shown to read these mails, so it is no password any more, and who was logged in by it is not.`,
    'If you want one, ask for a link by which you choose it.',
    isPastEnded
      ? PAST_ENDED
      : 'API keys go on working. If it was not you who made the account: revoke the API keys, grants and bank accounts in it that you do not know.',
  ])
}

const DECISIONS: Record<KybDecision, readonly [subject: string, ...text: string[]]> = {
  verified: [
    'Your business is verified',
    'we have verified your business. It now waits for approval; until then the sandbox is open to you, and live keys are not.',
  ],
  approved: [
    'You can go live',
    'your business is verified and approved: you can make live API keys now, and keys that were suspended work again.',
  ],
  rejected: [
    'Your business could not be verified',
    'we could not verify your business by what was submitted. Live keys do not work until it is verified. Log in, look whether each document is complete, legible and without a finding of the virus scan, and submit again.',
    'If you do not know what is missing, write to support.',
  ],
  approval_rejected: [
    'Your business was not approved',
    'your business was not approved for live trading. Live keys do not work; the sandbox goes on. Write to support if you want to know why.',
  ],
}

/** The mail to the owner of a business about which something was decided; none of what was submitted stands in it. */
export function kybMail({ decision }: KybMail): Letter {
  const [subject, ...paragraphs] = DECISIONS[decision]
  return letter(`kyb_${decision}`, subject, paragraphs)
}
