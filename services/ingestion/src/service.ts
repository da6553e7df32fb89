import { defineService } from '@svc/service'
import { readConfig } from './config.ts'
import { consumers } from './consumers/index.ts'
import { createContext } from './context.ts'
import { storeMerchant } from './db/merchants.ts'
import { migrations } from './db/migrations/index.ts'
import { channelService } from './rpc/channel-service.ts'
import { cloudService } from './rpc/cloud-service.ts'
import { hookService } from './rpc/hook-service.ts'
import { normalizationService } from './rpc/normalization-service.ts'
import { observeAttachments } from './workers/observe-attachments.ts'
import { observeHooks } from './workers/observe-hooks.ts'
import { expiries, retention } from './workers/retention.ts'

export const ingestion = defineService({
  name: 'ingestion',
  config: readConfig,
  migrations,
  context: createContext,
  consumers: { ingestion: consumers },
  takesMerchant: (tx, merchant) => storeMerchant(tx, merchant.id, merchant),
  workers: (context) => [
    context.normalizer,
    context.attachmentReader,
    context.intents,
    observeHooks(context.database),
    observeAttachments(context.database),
    retention(context),
    ...expiries(context),
  ],
  rpcs: [hookService, channelService, cloudService, normalizationService],
})
