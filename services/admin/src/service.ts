import { TOPICS } from '@svc/contracts/facts'
import { defineService } from '@svc/service'
import { readConfig } from './config.ts'
import { consumers } from './consumers/index.ts'
import { createContext } from './context.ts'
import { entities } from './db/entities.ts'
import { migrations } from './db/migrations/index.ts'
import { apiKeyService } from './rpc/api-key-service.ts'
import { credentialService } from './rpc/credential-service.ts'
import { merchantService } from './rpc/merchant-service.ts'
import { operatorService } from './rpc/operator-service.ts'
import { workspaceGrantService } from './rpc/workspace-grant-service.ts'
import { housekeeping } from './workers/housekeeping.ts'

export const admin = defineService({
  name: 'admin',
  config: readConfig,
  migrations,
  counters: [{ table: 'merchants', key: 'id', columns: ['version'] }],
  entities,
  context: createContext,
  alsoCreates: TOPICS,
  consumers: { admin: consumers },
  workers: (context) => [context.keyUse, context.intents, ...housekeeping(context.database)],
  rpcs: [credentialService, merchantService, apiKeyService, operatorService, workspaceGrantService],
  checks: ({ redis }) => ({ redis: { required: false, probe: async () => void (await redis.ping()) } }),
})
