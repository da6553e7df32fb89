import { ServiceError, validationError } from '@svc/errors'
import { type By, systemCaller } from '@svc/grpc'
import type { Context } from '../context.ts'

/** Under which address the provider knows the payer: the caller's own, or the owner's behind a key. */
export async function ownerEmail({ merchants }: Context, by: By): Promise<string> {
  if (!merchants) throw new ServiceError('service_unavailable')
  const { account_email } = await merchants.as(by.caller, { within: by }).getAccount({})
  if (account_email) return account_email
  const message = 'The owner of the account needs an e-mail address first.'
  throw validationError([{ field: 'account_email', rule: 'required', message }])
}

/** Name and address of a merchant, for a mail that we send by ourselves. */
export async function merchantOf({ merchants }: Pick<Context, 'merchants'>, id: string) {
  if (!merchants) throw new ServiceError('service_unavailable')
  const { merchant } = await merchants.as(systemCaller('wallet')).getMerchant({ id, include_kyb_payload: false })
  if (!merchant) throw new ServiceError('not_found')
  return { name: merchant.name, email: merchant.email }
}
