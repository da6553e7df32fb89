import { defineService } from '@svc/service'
import { readConfig } from './config.ts'
import { factConsumers } from './consumers/index.ts'
import { createContext } from './context.ts'
import { extensions, migrations } from './db/migrations/index.ts'
import { assignmentService } from './rpc/assignment-service.ts'
import { fleetService } from './rpc/fleet-service.ts'
import { placeService } from './rpc/place-service.ts'
import { positionService } from './rpc/position-service.ts'
import { pricingService } from './rpc/pricing-service.ts'
import { proofService } from './rpc/proof-service.ts'
import { rehearsalService } from './rpc/rehearsal-service.ts'
import { riderService } from './rpc/rider-service.ts'
import { rememberMerchant } from './use-cases/remember-merchant.ts'
import { locationLogKeeper } from './workers/location-log-keeper.ts'
import { retention } from './workers/retention.ts'

export const dispatch = defineService({
  name: 'dispatch',
  config: readConfig,
  migrations,
  extensions,
  counters: [{ table: 'riders', key: 'id', columns: ['version'] }],
  context: createContext,
  consumers: { dispatch: factConsumers },
  takesMerchant: (tx, merchant) => rememberMerchant(tx, merchant, merchant.version),
  workers: (context) => [
    locationLogKeeper(context),
    ...retention(context),
    context.moves,
    context.dispatcher,
    context.intents,
    context.alarms,
  ],
  rpcs: [
    riderService,
    fleetService,
    assignmentService,
    positionService,
    placeService,
    pricingService,
    proofService,
    rehearsalService,
  ],
})
