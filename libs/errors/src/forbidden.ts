/** What a 403 says for each of its reasons: what would permit it. */
const REASONS: Readonly<Record<string, string>> = {
  live_mode_required: 'This needs a live key (svc_live_…) or a log-in.',
  api_key_required: 'This needs an API key itself, not a token.',
  login_required: 'This needs a log-in with a password; an API key does not do.',
  rider_login_required: 'The rider must log in by a code; a token that was minted does not do.',
  acting_for_another:
    'Nobody does this for another merchant: send your own credential without X-Service-Act-As-Merchant.',
  delegated_token: 'A token that acts for another merchant takes no X-Service-Act-As-Merchant.',
  no_active_grant: 'That merchant has not granted you this: ask it for a grant.',
  no_common_scope: 'The grant has no scope that this credential has.',
  key_made_by_operator: 'An operator has seen the secret of this key: rotate it, or log in.',
}

/** The default message of a 403 with these details, or undefined where they tell nothing. */
export function forbiddenBecause({ required, reason }: Record<string, unknown> = {}): string | undefined {
  if (Array.isArray(required) && required.length > 0) return `The credential lacks ${required.join(', ')}.`
  return typeof reason === 'string' ? REASONS[reason] : undefined
}
