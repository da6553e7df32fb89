import { required } from '@svc/public-bodies'
import { cloudCandidates, cloudCode, cloudSdkConfig, cloudSelection, cloudStatus } from '../../bodies/cloud.ts'
import { PROVIDER_DEADLINE_MS } from '../../http/provider-deadline.ts'
import { inPerson, merchant, reply, route } from '../../http/route.ts'

const tag = 'Messaging app'
const description = "Of the merchant's live customers: test credentials are refused."
const reading = merchant('orders:read', 'orders:write')
const connecting = inPerson(merchant('orders:write'))

export const routes = [
  route({
    method: 'GET',
    path: '/v1/me/messaging-app/cloud/status',
    operationId: 'getCloudStatus',
    tag,
    summary: "Read whether a phone number is connected at the messaging app's cloud",
    description,
    auth: reading,
    replies: { 200: cloudStatus },
    errors: [],
    async handle(_input, services) {
      return reply(200, required((await services.cloud.getCloudStatus({})).status))
    },
  }),
  route({
    method: 'GET',
    path: '/v1/me/messaging-app/cloud/sdk-config',
    operationId: 'getCloudSdkConfig',
    tag,
    summary: 'Read what the signup in the browser is started with',
    description,
    auth: reading,
    replies: { 200: cloudSdkConfig },
    errors: ['messaging_app_not_configured'],
    async handle(_input, services) {
      return reply(200, await services.cloud.getCloudSdkConfig({}))
    },
  }),
  route({
    method: 'GET',
    path: '/v1/me/messaging-app/cloud/candidates',
    operationId: 'listCloudCandidates',
    tag,
    summary: 'List the phone numbers that a pending signup may choose from',
    description: `As the provider has them now; none where no signup is pending. ${description}`,
    auth: reading,
    deadlineMs: PROVIDER_DEADLINE_MS,
    replies: { 200: cloudCandidates },
    errors: ['invalid_state', 'messaging_app_not_configured'],
    async handle(_input, services) {
      return reply(200, await services.cloud.listCloudCandidates({}))
    },
  }),
  route({
    method: 'POST',
    path: '/v1/me/messaging-app/cloud/exchange-token',
    operationId: 'exchangeCloudToken',
    tag,
    summary: 'Exchange the code of a finished signup and connect its phone number',
    description:
      'Where it has granted several and none is named, the answer is 409 `asset_selection_required` with the candidates, and ' +
      `the signup waits 15 minutes for select-asset. ${description}`,
    auth: connecting,
    deadlineMs: PROVIDER_DEADLINE_MS,
    body: cloudCode,
    replies: { 200: cloudStatus },
    errors: ['asset_selection_required', 'already_exists', 'invalid_state', 'messaging_app_not_configured'],
    async handle({ body }, services) {
      return reply(200, required((await services.cloud.exchangeCloudToken(body)).status))
    },
  }),
  route({
    method: 'POST',
    path: '/v1/me/messaging-app/cloud/select-asset',
    operationId: 'selectCloudAsset',
    tag,
    summary: 'Connect one of the candidates of the pending signup',
    description,
    auth: connecting,
    deadlineMs: PROVIDER_DEADLINE_MS,
    body: cloudSelection,
    replies: { 200: cloudStatus },
    errors: ['asset_selection_required', 'already_exists', 'invalid_state', 'messaging_app_not_configured'],
    async handle({ body }, services) {
      return reply(200, required((await services.cloud.selectCloudAsset(body)).status))
    },
  }),
]
