import { type CreateOrderBody, DeliveryDispatch } from '@delivery-dispatch/sdk'
import { sharedMesh } from '@svc/testing'
import { playMainJob } from './main-job.ts'

const system = sharedMesh('journeys')
const bearing = (credential?: string) => new DeliveryDispatch({ baseUrl: system.baseUrl, credential })

let dispatch = bearing()

playMainJob(system, {
  signUp: async (owner) => (await dispatch.signUpMerchant({ ...owner, website: '' })).merchant.id,
  async goLive({ email, password }) {
    const { access_token } = await dispatch.logIn({ email, password })
    const { api_key } = await bearing(access_token).createApiKey({ label: 'shop' })
    dispatch = bearing(api_key)
    return api_key
  },
  enableEndpoint: async (url) => (await dispatch.updateOutboundWebhook({ url, enabled: true })).secret!,
  place: async (order) => (await dispatch.createOrder(order as CreateOrderBody)).order.id,
  assign: (orderId, rider_id) => dispatch.assignRider(orderId, { rider_id }),
  cancel: (orderId) => dispatch.cancelOrder(orderId, { reason: 'cancelled_by_merchant' }),
  eventsOf: async (order_id) => (await dispatch.listEvents({ order_id })).events.map(({ event }) => event),
  statement: async () => dispatch.getWallet({ limit: 200 }),
})
