import type {
  CloudAsset,
  CloudConnection,
  CloudStatus,
  GetCloudSdkConfigResponse,
  ListCloudCandidatesResponse,
} from '@svc/contracts/ingestion/v1/cloud_service'
import { matching, maybe, text, uuid } from '@svc/inputs'
import { fieldsOf, id, instant, orNull, words } from '@svc/public-bodies'
import * as z from 'zod'

const assetId = matching(/^\d{1,32}$/, 'must be digits').meta({ example: '102289599326934' })

const assetFields = {
  waba_id: z.string().meta({ description: 'Of the business account' }),
  phone_number_id: z.string(),
  display_phone_number: orNull(z.string()),
  verified_name: orNull(z.string()),
}

const cloudAsset = z.object(fieldsOf<CloudAsset>()(assetFields)).meta({ id: 'MessagingAppAsset' })

/** How a merchant is connected; no token of the provider is ever shown. */
export const cloudStatus = z
  .object(
    fieldsOf<CloudStatus>()({
      state: words('not_connected', 'meta_oauth_pending', 'connected'),
      meta_oauth_pending: z.boolean().meta({
        description: 'A signup waits for the choice of a phone number; an earlier connection stands until then',
      }),
      connection: orNull(z.object(fieldsOf<CloudConnection>()({ ...assetFields, connected_at: instant }))),
      signup_id: orNull(id),
      signup_expires_at: orNull(instant),
    }),
  )
  .meta({ id: 'MessagingAppStatus' })

/** What the signup in the browser is started with. */
export const cloudSdkConfig = z
  .object(fieldsOf<GetCloudSdkConfigResponse>()({ app_id: z.string(), config_id: z.string(), api_version: z.string() }))
  .meta({ id: 'MessagingAppSdkConfig' })

export const cloudCandidates = z
  .object(
    fieldsOf<ListCloudCandidatesResponse>()({
      candidates: z.array(cloudAsset),
      signup_id: orNull(id),
      signup_expires_at: orNull(instant),
    }),
  )
  .meta({ id: 'MessagingAppCandidates' })

export const cloudCode = z.strictObject({
  code: text(2_048).meta({ description: 'Of the finished signup; good once' }),
  waba_id: maybe(assetId),
  phone_number_id: maybe(assetId),
})

export const cloudSelection = z.strictObject({
  phone_number_id: assetId,
  waba_id: maybe(assetId),
  signup_id: maybe(uuid).meta({ description: 'Of the answer with the candidates; absent: whichever is pending' }),
})
