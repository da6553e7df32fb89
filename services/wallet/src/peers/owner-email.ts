import { ServiceError, validationError } from '@svc/errors'
import type { By } from '@svc/grpc'
import type { Context } from '../context.ts'

/** Under which address the provider knows the payer: the caller's own, or the owner's behind a key. */
export async function ownerEmail({ merchants }: Context, by: By): Promise<string> {
  if (!merchants) throw new ServiceError('service_unavailable')
  const { account_email } = await merchants.as(by.caller, { within: by }).getAccount({})
  if (account_email) return account_email
  const message = 'The owner of the account needs an e-mail address first.'
  throw validationError([{ field: 'account_email', rule: 'required', message }])
}
