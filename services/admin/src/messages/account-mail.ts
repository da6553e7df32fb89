import type { LockMail } from '../security/account-mails.ts'

/** The mail to somebody whose account was locked by wrong passwords. */
export function lockMail({ email, audience, ip, isKnownNetwork, at }: LockMail) {
  const from = ip ?? 'an unknown address'
  return {
    template: 'login_locked',
    subject: 'Log-ins to your account are refused for up to an hour',
    text: [
      'Hello,',
      `too many wrong passwords were entered for ${email}, the last from ${from} at ${at}. Nobody has got in by them.`,
      isKnownNetwork
        ? 'Log-ins from that network are refused for up to an hour. From other networks you can log in.'
        : 'Log-ins are refused for up to an hour, but not from networks from which you have logged in within 30 days.',
      'If this was you, wait an hour. If it was not you, and your password is short or used elsewhere too, choose another one.',
      audience === 'operator'
        ? 'If you have forgotten it, another administrator can make you a new identity.'
        : 'If you have forgotten it, ask for a link by which you choose another.',
    ].join('\n\n'),
  }
}
