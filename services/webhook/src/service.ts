import { defineService } from '@svc/service'
import { readConfig } from './config.ts'
import { clockConsumers, moneyConsumers, orderConsumers } from './consumers/index.ts'
import { createContext } from './context.ts'
import { storeMerchant } from './db/merchants.ts'
import { migrations } from './db/migrations/index.ts'
import { deliveryService } from './rpc/delivery-service.ts'
import { eventService } from './rpc/event-service.ts'
import { faultService } from './rpc/fault-service.ts'
import { outboundWebhookService } from './rpc/outbound-webhook-service.ts'
import { alerts } from './workers/alert-mailer.ts'
import { expiry } from './workers/expiry.ts'
import { observeBacklog } from './workers/observe-backlog.ts'
import { retention } from './workers/retention.ts'
import { silentEndpoints } from './workers/silent-endpoints.ts'

export const webhook = defineService({
  name: 'webhook',
  config: readConfig,
  migrations,
  counters: [{ table: 'event_cursor', key: 'merchant_id', columns: ['last_cursor'] }],
  context: createContext,
  consumers: { webhook: orderConsumers, 'webhook-money': moneyConsumers, 'webhook-clock': clockConsumers },
  takesMerchant: (tx, merchant) => storeMerchant(tx, merchant, merchant.version),
  afterFacts: (context) => context.deliveries.wake(),
  workers: (context) => [
    observeBacklog(context.database),
    expiry(context),
    retention(context),
    silentEndpoints(context),
    ...alerts(context),
    context.deliveries,
    context.sandboxClock,
  ],
  rpcs: [outboundWebhookService, deliveryService, eventService, faultService],
})
