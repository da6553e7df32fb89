import type { Route } from '../http/route.ts'
import { adminAuth } from './admin/auth.ts'
import { adminIdentities } from './admin/identities.ts'
import { adminIngestionDlq } from './admin/ingestion-dlq.ts'
import { adminMerchantDispatch } from './admin/merchants/dispatch.ts'
import { adminMerchantIngestion } from './admin/merchants/ingestion.ts'
import { adminMerchantMoney } from './admin/merchants/money.ts'
import { adminMerchants } from './admin/merchants.ts'
import { adminOrders } from './admin/orders.ts'
import { adminOtpSendLogs } from './admin/otp-send-logs.ts'
import { adminDeliveries } from './admin/outbound-webhook-deliveries.ts'
import { adminGeofences } from './admin/platform-geofences.ts'
import { adminRateCards } from './admin/rate-cards.ts'
import { adminRiders } from './admin/riders.ts'
import { adminSosAlerts } from './admin/sos-alerts.ts'
import { adminWithdrawals } from './admin/withdrawals.ts'
import { riderAuth } from './auth/rider.ts'
import { auth } from './auth.ts'
import { coverageRoutes } from './coverage.ts'
import { events } from './events.ts'
import { myApiKeys } from './me/api-keys.ts'
import { myBilling } from './me/billing.ts'
import { myDispatch } from './me/dispatch.ts'
import { myFleet } from './me/fleet.ts'
import { myIngestion } from './me/ingestion.ts'
import { myOutboundWebhook } from './me/outbound-webhook.ts'
import { myPricing } from './me/pricing.ts'
import { myRealtime } from './me/realtime.ts'
import { myRiders } from './me/riders.ts'
import { myWallet } from './me/wallet.ts'
import { orderDispatch } from './orders/dispatch.ts'
import { orders } from './orders.ts'
import { merchantPayouts, riderPayouts } from './payouts.ts'
import { publicPricing } from './public/pricing.ts'
import { publicRiders } from './public/riders.ts'
import { publicRoutes } from './public.ts'
import { myOffers } from './riders/me/dispatch-offers.ts'
import { riderLedger } from './riders/me/ledger.ts'
import { riderOrders } from './riders/me/orders.ts'
import { riderSos } from './riders/me/sos.ts'
import { riderUploads } from './riders/me/uploads.ts'
import { oneRider } from './riders/rider.ts'
import { simulator } from './test/simulator.ts'
import { testWallet } from './test/wallet.ts'
import { trackingRoutes } from './tracking.ts'
import { paymentsAHooks } from './webhooks/payments-a.ts'

/** The public contract: every route, as data. */
export const routes: readonly Route[] = [
  ...orders,
  ...orderDispatch,
  ...simulator,
  ...testWallet,
  ...myOutboundWebhook,
  ...events,
  ...trackingRoutes,
  ...coverageRoutes,
  ...publicPricing,
  ...myPricing,
  ...myRiders,
  ...myDispatch,
  ...myRealtime,
  ...myFleet,
  ...myWallet,
  ...merchantPayouts,
  ...myBilling,
  ...myIngestion,
  ...publicRiders,
  ...riderAuth,
  ...oneRider,
  ...myOffers,
  ...riderOrders,
  ...riderUploads,
  ...riderSos,
  ...riderLedger,
  ...riderPayouts,
  ...publicRoutes,
  ...auth,
  ...myApiKeys,
  ...adminAuth,
  ...adminIdentities,
  ...adminMerchants,
  ...adminMerchantDispatch,
  ...adminMerchantMoney,
  ...adminMerchantIngestion,
  ...adminWithdrawals,
  ...adminIngestionDlq,
  ...adminGeofences,
  ...adminRateCards,
  ...adminRiders,
  ...adminSosAlerts,
  ...adminOtpSendLogs,
  ...adminOrders,
  ...adminDeliveries,
  ...paymentsAHooks,
]
