import { ServiceError } from '@svc/errors'
import type { By } from '@svc/grpc'
import type { Context } from '../context.ts'

/** Throws kyc_not_approved unless an operator has approved the calling rider, by what dispatch knows now. */
export async function requireApprovedRider({ riders }: Pick<Context, 'riders'>, by: By): Promise<void> {
  if (!riders) throw new ServiceError('service_unavailable')
  const { rider } = await riders.as(by.caller, { within: by }).getRiderAccount({})
  if (rider?.kyc_status !== 'approved')
    throw new ServiceError('kyc_not_approved', { details: { kyc_status: rider?.kyc_status } })
}
