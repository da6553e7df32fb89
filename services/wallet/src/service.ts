import { defineService } from '@svc/service'
import { readConfig } from './config.ts'
import { consumers } from './consumers/index.ts'
import { createContext } from './context.ts'
import { migrations } from './db/migrations/index.ts'
import { billingService } from './rpc/billing-service.ts'
import { cashService } from './rpc/cash-service.ts'
import { commissionService } from './rpc/commission-service.ts'
import { payoutService } from './rpc/payout-service.ts'
import { shipmentHoldService } from './rpc/shipment-hold-service.ts'
import { topupService } from './rpc/topup-service.ts'
import { walletService } from './rpc/wallet-service.ts'
import { rememberMerchant } from './use-cases/remember-merchant.ts'
import { cashAge } from './workers/cash-age.ts'
import { chores } from './workers/chores.ts'
import { payoutAge } from './workers/payout-age.ts'
import { retention } from './workers/retention.ts'

export const wallet = defineService({
  name: 'wallet',
  config: readConfig,
  migrations,
  counters: [
    { table: 'withdrawals', key: 'id', columns: ['version'] },
    { table: 'cash_accounts', key: 'id', columns: ['version'] },
    { table: 'billing_standings', key: 'merchant_id', columns: ['version'] },
  ],
  context: createContext,
  consumers: { wallet: consumers },
  takesMerchant: (tx, merchant, context) => rememberMerchant(context, tx, merchant, merchant.version),
  workers: (context) => [context.intents, ...chores(context), payoutAge(context), cashAge(context), retention(context)],
  rpcs: [
    walletService,
    commissionService,
    payoutService,
    topupService,
    billingService,
    shipmentHoldService,
    cashService,
  ],
})
