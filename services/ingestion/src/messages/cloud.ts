import type {
  CloudAsset as CloudAssetMessage,
  CloudStatus as CloudStatusMessage,
  ListCloudCandidatesResponse,
} from '@svc/contracts/ingestion/v1/cloud_service'
import type { CloudAsset } from '../domain/cloud-asset.ts'
import { type CloudStatus, cloudState } from '../domain/cloud-status.ts'

const assetMessage = (asset: CloudAsset): CloudAssetMessage => ({
  waba_id: asset.wabaId,
  phone_number_id: asset.phoneNumberId,
  display_phone_number: asset.displayPhoneNumber ?? undefined,
  verified_name: asset.verifiedName ?? undefined,
})

/** status → message, in which no token is */
export function cloudStatusMessage(status: CloudStatus): CloudStatusMessage {
  const { connection, pending } = status
  return {
    state: cloudState(status),
    meta_oauth_pending: pending !== null,
    connection: connection
      ? { ...assetMessage(connection), connected_at: connection.connectedAt.toISOString() }
      : undefined,
    signup_id: pending?.id,
    signup_expires_at: pending?.expiresAt.toISOString(),
  }
}

/** what may be chosen from → message */
export const candidatesMessage = (
  signup: { id: string; expiresAt: Date },
  assets: readonly CloudAsset[],
): ListCloudCandidatesResponse => ({
  candidates: assets.map(assetMessage),
  signup_id: signup.id,
  signup_expires_at: signup.expiresAt.toISOString(),
})
