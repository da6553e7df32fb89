import type { LockMail, PasswordChangedMail } from '../security/account-mails.ts'

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
    'If it was not you, do nothing.',
  ])

/** The mail to somebody whose password is another one. */
export function passwordChangedMail({ email, ip, at }: PasswordChangedMail): Letter {
  return letter('password_changed', 'Your password was changed', [
    `the password of ${email} was changed at ${at}, from ${ip ?? 'an unknown address'}. Everybody who was logged in has to log in again.`,
    'API keys go on working. If this was not you: ask for a link by which you choose another password, revoke the API keys that you do not know, and write to support.',
  ])
}
