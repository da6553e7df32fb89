import { ServiceError } from '@svc/errors'
import type { By, Tenant } from '@svc/grpc'
import type { Context } from '../../context.ts'
import { findConnection } from '../../db/cloud-connections.ts'
import { findSignup } from '../../db/cloud-signups.ts'
import type { CloudConnection } from '../../domain/cloud-status.ts'
import { requireCloud } from '../../peers/cloud.ts'
import { connectAsset } from '../../peers/connect-asset.ts'

interface Selection {
  phoneNumberId: string
  wabaId?: string | undefined
  signupId?: string | undefined
}

/** Connects a candidate of the pending signup; again, once it is connected, it is answered the same. */
export async function selectCloudAsset(
  ctx: Context,
  by: By<Tenant>,
  { signupId, ...choice }: Selection,
): Promise<CloudConnection> {
  const calls = requireCloud(ctx).begin()
  const tx = ctx.reads.in(by.scope)
  const signup = await findSignup(tx, ctx.secretBox, by.scope)
  if (signup && (signupId === undefined || signup.id === signupId))
    return connectAsset(ctx, by, { calls, signup, choice })

  const connection = signup ? null : await findConnection(tx, by.scope)
  const { phoneNumberId, wabaId = connection?.wabaId } = choice
  if (connection?.phoneNumberId === phoneNumberId && connection.wabaId === wabaId) return connection
  throw new ServiceError('invalid_state', signup ? ANOTHER_PENDING : NONE_PENDING)
}

const NONE_PENDING = {
  message: 'No signup waits for a choice; start it again.',
  details: { reason: 'no_pending_signup' },
}
const ANOTHER_PENDING = {
  message: 'Another signup has taken the place of this one.',
  details: { reason: 'another_pending_signup' },
}
