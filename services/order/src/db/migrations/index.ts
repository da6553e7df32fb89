import type { Migrations } from '@svc/database'
import { AgesDropped, ExpiryIndexes, ExpiryVacuum, outboxPending } from '@svc/transact'
import { createOrder } from '../functions/create-order.sql.ts'
import { listedRecord } from '../functions/listed-record.sql.ts'
import { Schema } from './202611221200-schema.ts'
import { RiderActed } from './202611221430-rider-acted.ts'
import { IndexKeysOfMerchants, KeysOfMerchants } from './202611221510-keys-of-merchants.ts'
import { ListIndexes } from './202611221531-list-indexes.ts'
import { CarriedTold } from './202611221700-carried-told.ts'
import { CoveringListIndexes } from './202611221710-covering-list-indexes.ts'
import { SandboxUsage } from './202611221715-sandbox-usage.ts'
import { CarriedToldTwice } from './202611221740-carried-told-twice.ts'
import { ShipmentIndexes, Shipments } from './202611230410-shipments.ts'
import { ShipmentTurnIndexes, ShipmentTurns } from './202611231940-shipment-turns.ts'
import { AddressPins } from './202611231945-address-pins.ts'
import { Scenarios } from './202611231950-scenarios.ts'
import { SandboxClock } from './202611231951-sandbox-clock.ts'
import { LateChanges } from './202611241415-late-changes.ts'
import { LateChangesInOrder } from './202611241445-late-changes-in-order.ts'

/** In the order in which they run; functions come last. */
export const migrations: Migrations = [
  { name: '202611221200-schema', class: Schema },
  { name: '202611221430-rider-acted', class: RiderActed },
  { name: '202611221510-keys-of-merchants-index', class: IndexKeysOfMerchants },
  { name: '202611221511-keys-of-merchants', class: KeysOfMerchants },
  { name: '202611221531-list-indexes', class: ListIndexes },
  { name: '202611221545-expiry-indexes', class: ExpiryIndexes },
  { name: '202611221546-expiry-vacuum', class: ExpiryVacuum },
  { name: '202611221700-carried-told', class: CarriedTold },
  { name: '202611221710-covering-list-indexes', class: CoveringListIndexes },
  { name: '202611221715-sandbox-usage', class: SandboxUsage },
  { name: '202611221740-carried-told-twice', class: CarriedToldTwice },
  { name: '202611230410-shipments', class: Shipments },
  { name: '202611230411-shipment-indexes', class: ShipmentIndexes },
  { name: '202611231940-shipment-turns', class: ShipmentTurns },
  { name: '202611231941-shipment-turn-indexes', class: ShipmentTurnIndexes },
  { name: '202611231945-address-pins', class: AddressPins },
  { name: '202611231950-scenarios', class: Scenarios },
  { name: '202611231951-sandbox-clock', class: SandboxClock },
  { name: '202611241415-late-changes', class: LateChanges },
  { name: '202611241445-late-changes-in-order', class: LateChangesInOrder },
  { name: '202611281030-ages-dropped', class: AgesDropped },
  outboxPending,
  listedRecord,
  createOrder,
]
