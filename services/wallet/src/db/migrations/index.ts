import type { Migrations } from '@svc/database'
import { merchantsLearned } from '@svc/service'
import { AgesDropped, ExpiryIndexes, ExpiryVacuum, outboxPending } from '@svc/transact'
import { functions } from '../functions/index.ts'
import { Schema } from './202611221155-schema.ts'
import { PayeeIndexes } from './202611221425-payee-indexes.ts'
import { CarriedOrders } from './202611221535-carried-orders.ts'
import { CarriedOrdersAge, CarriedOrdersExpiry } from './202611221701-carried-orders-age.ts'
import { TopupRequests } from './202611230155-topup-requests.ts'
import { HoldParts } from './202611230400-hold-parts.ts'
import { HookTimes } from './202611231910-hook-times.ts'
import { Cash } from './202611231955-cash.ts'
import { CashEntriesIndex, CashRemittances } from './202611231956-cash-remittances.ts'
import { CashLists } from './202611232000-cash-lists.ts'
import { WithdrawnRemittances } from './202611240010-withdrawn-remittances.ts'
import { RemittanceEnvironment, RemittanceLists } from './202611240012-remittance-environment.ts'
import { CashAdjustments, CashDifferences } from './202611240015-cash-adjustments.ts'
import { CashOfRiders } from './202611240018-cash-of-riders.ts'
import { DeliveriesStored, DeliveriesStoredIndex } from './202611242115-deliveries-stored.ts'

/** In the order in which they run; functions come last. */
export const migrations: Migrations = [
  { name: '202611221155-schema', class: Schema },
  { name: '202611221425-payee-indexes', class: PayeeIndexes },
  { name: '202611221535-carried-orders', class: CarriedOrders },
  { name: '202611221545-expiry-indexes', class: ExpiryIndexes },
  { name: '202611221546-expiry-vacuum', class: ExpiryVacuum },
  { name: '202611221550-merchants-learned', class: merchantsLearned('wallet') },
  { name: '202611221701-carried-orders-age', class: CarriedOrdersAge },
  { name: '202611221702-carried-orders-expiry', class: CarriedOrdersExpiry },
  { name: '202611230155-topup-requests', class: TopupRequests },
  { name: '202611230400-hold-parts', class: HoldParts },
  { name: '202611231910-hook-times', class: HookTimes },
  { name: '202611231955-cash', class: Cash },
  { name: '202611231956-cash-remittances', class: CashRemittances },
  { name: '202611231957-cash-entries-index', class: CashEntriesIndex },
  { name: '202611232000-cash-lists', class: CashLists },
  { name: '202611240010-withdrawn-remittances', class: WithdrawnRemittances },
  { name: '202611240012-remittance-environment', class: RemittanceEnvironment },
  { name: '202611240013-remittance-lists', class: RemittanceLists },
  { name: '202611240015-cash-adjustments', class: CashAdjustments },
  { name: '202611240016-cash-differences', class: CashDifferences },
  { name: '202611240018-cash-of-riders', class: CashOfRiders },
  { name: '202611242115-deliveries-stored', class: DeliveriesStored },
  { name: '202611242116-deliveries-stored-index', class: DeliveriesStoredIndex },
  { name: '202611281030-ages-dropped', class: AgesDropped },
  outboxPending,
  ...functions,
]
