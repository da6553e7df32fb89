import { defineService } from '@svc/service'
import { readConfig } from './config.ts'
import { createContext } from './context.ts'
import { migrations } from './db/migrations/index.ts'
import { Order } from './domain/order.ts'
import { fulfilmentService } from './rpc/fulfilment-service.ts'
import { intakeService } from './rpc/intake-service.ts'
import { orderService } from './rpc/order-service.ts'
import { shipmentService } from './rpc/shipment-service.ts'
import { simulatorService } from './rpc/simulator-service.ts'
import { carriedTeller } from './workers/carried-teller.ts'
import { retention } from './workers/retention.ts'
import { sandboxSweeper } from './workers/sandbox-sweeper.ts'

export const order = defineService({
  name: 'order',
  config: readConfig,
  migrations,
  counters: [
    { table: 'orders', key: 'id', columns: ['version', 'settlement_attempts'] },
    { table: 'sandbox_clock', key: 'merchant_id', columns: ['version'] },
  ],
  entities: [Order],
  context: createContext,
  workers: (context) => [
    context.intents,
    context.simulator,
    context.scenarios,
    context.beginner,
    retention(context),
    sandboxSweeper(context),
    // Where no wallet is wanted nothing is told, and so nothing is done with.
    ...(context.config.walletGrpcAddress === undefined ? [] : [carriedTeller(context)]),
  ],
  rpcs: [orderService, simulatorService, fulfilmentService, intakeService, shipmentService],
})
