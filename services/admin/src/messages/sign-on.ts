import type {
  SignOnAttempt as AttemptMessage,
  SignOnCallback as CallbackMessage,
} from '@svc/contracts/admin/v1/sign_on_service'
import { ServiceError } from '@svc/errors'
import type { BegunSignOn, SignOnCallback } from '../security/sign-on.ts'

export const attemptMessage = ({ url, secret, maxAgeSeconds }: BegunSignOn): AttemptMessage => ({
  url,
  secret,
  max_age_seconds: maxAgeSeconds,
})

export function callbackOf(callback: CallbackMessage | undefined): SignOnCallback {
  if (!callback) throw new ServiceError('validation_error', { details: { field: 'callback', rule: 'required' } })
  const { secret, state, code, iss, error } = callback
  return { secret, state, code, iss, error }
}
