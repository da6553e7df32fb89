import { ServiceError } from '@svc/errors'
import type { By, Tenant } from '@svc/grpc'
import type { Context } from '../context.ts'
import { findConnection, isConnectedElsewhere, storeConnection } from '../db/cloud-connections.ts'
import { type CloudSignup, removeSignup } from '../db/cloud-signups.ts'
import { type AssetChoice, type CloudAsset, chosenAssets } from '../domain/cloud-asset.ts'
import type { CloudConnection } from '../domain/cloud-status.ts'
import { cloudConnectAudit } from '../events.ts'
import { candidatesMessage } from '../messages/cloud.ts'
import { AUTHORIZATION_ENDED, type CloudCalls, whileAuthorized } from './cloud.ts'

/**
 * Connects the phone number that a choice leaves of what a signup has granted; throws asset_selection_required with the
 * candidates where it leaves several. Whatever fails before the end leaves the signup as it was, to be tried again: what
 * was asked of the provider until then may be asked of it twice.
 */
export async function connectAsset(
  ctx: Context,
  by: By<Tenant>,
  { calls, signup, choice }: { calls: CloudCalls; signup: CloudSignup; choice: AssetChoice },
): Promise<CloudConnection> {
  const { accessToken, pin } = signup
  const assets = await whileAuthorized(calls.listAssets(accessToken))
  const [asset, ...more] = chosenAssets(assets, choice)
  if (!asset) throw new ServiceError('invalid_state', NO_NUMBER)
  if (more.length > 0)
    throw new ServiceError('asset_selection_required', { details: { ...candidatesMessage(signup, [asset, ...more]) } })
  await refuseWhereElsewhere(ctx, signup, asset)
  await whileAuthorized(calls.register(accessToken, asset.phoneNumberId, pin))
  await whileAuthorized(calls.subscribe(accessToken, asset.wabaId))
  return ctx.transact('every tenant', async (tx) => {
    const { merchantId } = signup
    const isOurs = await removeSignup(tx, signup)
    // Read after the lock of the signup was had: another tab may have ended it until then, and what it has connected stands.
    const before = await findConnection(tx, { merchantId })
    if (!isOurs) {
      if (before?.phoneNumberId === asset.phoneNumberId) return before
      throw new ServiceError('invalid_state', AUTHORIZATION_ENDED)
    }
    if (await isConnectedElsewhere(tx, { merchantId, phoneNumberId: asset.phoneNumberId }))
      throw new ServiceError('already_exists', ELSEWHERE)
    const after = await storeConnection(tx, ctx.secretBox, signup, asset)
    tx.publish(cloudConnectAudit(by.caller, merchantId, before, after))
    return after
  })
}

/** Asked before the provider hears of it; what counts is asked again with the connection. */
async function refuseWhereElsewhere(ctx: Context, { merchantId }: CloudSignup, { phoneNumberId }: CloudAsset) {
  const isElsewhere = await ctx.transact('every tenant', (tx) =>
    isConnectedElsewhere(tx, { merchantId, phoneNumberId }),
  )
  if (isElsewhere) throw new ServiceError('already_exists', ELSEWHERE)
}

const NO_NUMBER = {
  message: 'The signup has granted no phone number.',
  details: { reason: 'no_phone_number' },
}

const ELSEWHERE = {
  message: 'Another merchant is connected to this phone number.',
  details: { field: 'phone_number_id' },
}
