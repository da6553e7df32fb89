/** What the mail about a payout instrument tells. */
export interface InstrumentMail {
  bankName: string
  accountLast4: string
  isDefault: boolean
  frozenUntil: string | null
}

/** The mail about a payout instrument that a merchant has added or made its default. */
export function instrumentMail(name: string, { bankName, accountLast4, isDefault, frozenUntil }: InstrumentMail) {
  const account = `${bankName}, account ending in ${accountLast4}`
  return {
    template: 'payout_instrument_changed',
    subject: 'A bank account for your payouts was added or made the default',
    text: [
      `Hello ${name},`,
      `${account}, is now ${isDefault ? 'the default account' : 'one of the accounts'} that your wallet can be paid out to.`,
      ...(frozenUntil === null ? [] : [`Until ${frozenUntil} nothing can be withdrawn.`]),
      'If this was not you: revoke the API keys that you do not know, change your password, and write to support.',
    ].join('\n\n'),
  }
}
