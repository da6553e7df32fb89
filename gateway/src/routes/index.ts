import type { Route } from '../http/route.ts'
import { adminAuth } from './admin/auth.ts'
import { adminIdentities } from './admin/identities.ts'
import { adminMerchants } from './admin/merchants.ts'
import { adminOrders } from './admin/orders.ts'
import { adminDeliveries } from './admin/outbound-webhook-deliveries.ts'
import { auth } from './auth.ts'
import { events } from './events.ts'
import { myApiKeys } from './me/api-keys.ts'
import { myOutboundWebhook } from './me/outbound-webhook.ts'
import { orders } from './orders.ts'
import { publicRoutes } from './public.ts'
import { simulator } from './test/simulator.ts'
import { trackingRoutes } from './tracking.ts'

/** The public contract: every route, as data. */
export const routes: readonly Route[] = [
  ...orders,
  ...simulator,
  ...myOutboundWebhook,
  ...events,
  ...trackingRoutes,
  ...publicRoutes,
  ...auth,
  ...myApiKeys,
  ...adminAuth,
  ...adminIdentities,
  ...adminMerchants,
  ...adminOrders,
  ...adminDeliveries,
]
