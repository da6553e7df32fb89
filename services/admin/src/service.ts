import { TOPICS } from '@svc/contracts/facts'
import { defineService } from '@svc/service'
import { readConfig } from './config.ts'
import { consumers } from './consumers/index.ts'
import { createContext } from './context.ts'
import { entities } from './db/entities.ts'
import { migrations } from './db/migrations/index.ts'
import { accountService } from './rpc/account-service.ts'
import { apiKeyService } from './rpc/api-key-service.ts'
import { auditService } from './rpc/audit-service.ts'
import { credentialService } from './rpc/credential-service.ts'
import { inquiryService } from './rpc/inquiry-service.ts'
import { kybService } from './rpc/kyb-service.ts'
import { merchantService } from './rpc/merchant-service.ts'
import { operatorService } from './rpc/operator-service.ts'
import { signOnService } from './rpc/sign-on-service.ts'
import { systemService } from './rpc/system-service.ts'
import { workspaceGrantService } from './rpc/workspace-grant-service.ts'
import { housekeeping } from './workers/housekeeping.ts'
import { kybChores } from './workers/kyb.ts'

export const admin = defineService({
  name: 'admin',
  config: readConfig,
  migrations,
  counters: [{ table: 'merchants', key: 'id', columns: ['version'] }],
  entities,
  context: createContext,
  alsoCreates: TOPICS,
  consumers: { admin: consumers },
  workers: (context) => [
    context.keyUse,
    context.intents,
    // Beside a replica that knows of a scanner, as while one is being set up, one that knows of none takes no scan from it.
    ...(context.scanner ? [context.scans] : []),
    ...housekeeping(context),
    ...kybChores(context),
  ],
  rpcs: [
    credentialService,
    accountService,
    merchantService,
    apiKeyService,
    operatorService,
    auditService,
    signOnService,
    workspaceGrantService,
    inquiryService,
    kybService,
    systemService,
  ],
  checks: ({ redis }) => ({ redis: { required: false, probe: async () => void (await redis.ping()) } }),
})
