import { CloudServiceService } from '@svc/contracts/ingestion/v1/cloud_service'
import { inPerson, liveOnly, merchant, rpc, serving } from '@svc/grpc'
import { matching, text, uuid } from '@svc/inputs'
import { z } from 'zod'
import type { Context } from '../context.ts'
import type { CloudConnection } from '../domain/cloud-status.ts'
import { candidatesMessage, cloudStatusMessage } from '../messages/cloud.ts'
import { exchangeCloudToken } from '../use-cases/cloud/exchange-cloud-token.ts'
import { getCloudSdkConfig } from '../use-cases/cloud/get-cloud-sdk-config.ts'
import { getCloudStatus } from '../use-cases/cloud/get-cloud-status.ts'
import { listCloudCandidates } from '../use-cases/cloud/list-cloud-candidates.ts'
import { selectCloudAsset } from '../use-cases/cloud/select-cloud-asset.ts'

const assetId = matching(/^\d{1,32}$/, 'must be digits')
const reading = liveOnly(merchant('orders:read', 'orders:write'))
/** What is connected outlives a grant: it is done by the merchant itself. */
const connecting = inPerson(liveOnly(merchant('orders:write')))

const connected = (connection: CloudConnection) => ({ status: cloudStatusMessage({ connection, pending: null }) })

/** The rpcs of the messaging app's cloud; a merchant's customers are live people, so test credentials have no part in it. */
export const cloudService = serving<Context>()(CloudServiceService, {
  getCloudStatus: rpc({
    access: reading,
    handle: async (ctx, by) => ({ status: cloudStatusMessage(await getCloudStatus(ctx, by)) }),
  }),

  getCloudSdkConfig: rpc({
    access: reading,
    async handle(ctx, by) {
      const { appId, configId, apiVersion } = await getCloudSdkConfig(ctx, by)
      return { app_id: appId, config_id: configId, api_version: apiVersion }
    },
  }),

  listCloudCandidates: rpc({
    access: reading,
    async handle(ctx, by) {
      const found = await listCloudCandidates(ctx, by)
      return found ? candidatesMessage(found.signup, found.assets) : { candidates: [] }
    },
  }),

  exchangeCloudToken: rpc({
    access: connecting,
    input: z.object({ code: text(2_048), waba_id: assetId.optional(), phone_number_id: assetId.optional() }),
    handle: async (ctx, by, { code, waba_id: wabaId, phone_number_id: phoneNumberId }) =>
      connected(await exchangeCloudToken(ctx, by, { code, wabaId, phoneNumberId })),
  }),

  selectCloudAsset: rpc({
    access: connecting,
    input: z.object({
      phone_number_id: assetId,
      waba_id: assetId.optional(),
      signup_id: uuid.toLowerCase().optional(),
    }),
    handle: async (ctx, by, { phone_number_id: phoneNumberId, waba_id: wabaId, signup_id: signupId }) =>
      connected(await selectCloudAsset(ctx, by, { phoneNumberId, wabaId, signupId })),
  }),
})
