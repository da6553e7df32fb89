import { defineService } from '@svc/service'
import { readConfig } from './config.ts'
import { moneyConsumers, orderConsumers } from './consumers/index.ts'
import { createContext } from './context.ts'
import { migrations } from './db/migrations/index.ts'
import { deliveryService } from './rpc/delivery-service.ts'
import { eventService } from './rpc/event-service.ts'
import { outboundWebhookService } from './rpc/outbound-webhook-service.ts'
import { alerts } from './workers/alert-mailer.ts'
import { observeBacklog } from './workers/observe-backlog.ts'
import { retention } from './workers/retention.ts'

export const webhook = defineService({
  name: 'webhook',
  config: readConfig,
  migrations,
  context: createContext,
  consumers: { webhook: orderConsumers, 'webhook-money': moneyConsumers },
  afterFacts: (context) => context.deliveries.wake(),
  workers: (context) => [
    observeBacklog(context.database),
    retention({ database: context.database, retentionMs: context.config.eventLogRetention }),
    ...alerts(context),
    context.deliveries,
  ],
  rpcs: [outboundWebhookService, deliveryService, eventService],
})
