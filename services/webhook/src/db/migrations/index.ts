import type { Migrations } from '@svc/database'
import { merchantsLearned } from '@svc/service'
import { AgesDropped, ExpiryIndexes, ExpiryVacuum, outboxPending } from '@svc/transact'
import { appendEvents } from '../functions/append-events.sql.ts'
import { claimDeliveries } from '../functions/claim-deliveries.sql.ts'
import { completeDeliveries } from '../functions/complete-deliveries.sql.ts'
import { deliveryBody } from '../functions/delivery-body.sql.ts'
import { endpointEnabled } from '../functions/endpoint-enabled.sql.ts'
import { endpointWants } from '../functions/endpoint-wants.sql.ts'
import { takeFaults } from '../functions/take-faults.sql.ts'
import { wakeLanes } from '../functions/wake-lanes.sql.ts'
import { Schema } from './202611221140-schema.ts'
import { SandboxEndpoint } from './202611221430-sandbox-endpoint.ts'
import { ListIndexes } from './202611221530-list-indexes.ts'
import { DisabledEndpoints } from './202611221545-disabled-endpoints.ts'
import { RetentionIndexes } from './202611221547-retention-indexes.ts'
import { RequeuedAt } from './202611221640-requeued-at.ts'
import { CoveringListIndexes } from './202611221710-covering-list-indexes.ts'
import { DropDeliveryExpiry, ExpiredAt, ExpiredAtIndexes } from './202611221720-expired-at.ts'
import { ToLive } from './202611230035-to-live.ts'
import { KeptBack, WebhookFaults } from './202611231950-webhook-faults.ts'
import { QueueOfSandbox, SandboxAdvances } from './202611240030-sandbox-advances.ts'
import { LateChanges } from './202611242105-late-changes.ts'
import { RetentionAgesDropped } from './202611281031-retention-ages-dropped.ts'

/** In the order in which they run; functions come last. */
export const migrations: Migrations = [
  { name: '202611221140-schema', class: Schema },
  { name: '202611221430-sandbox-endpoint', class: SandboxEndpoint },
  { name: '202611221530-list-indexes', class: ListIndexes },
  { name: '202611221545-disabled-endpoints', class: DisabledEndpoints },
  { name: '202611221545-expiry-indexes', class: ExpiryIndexes },
  { name: '202611221546-expiry-vacuum', class: ExpiryVacuum },
  { name: '202611221547-retention-indexes', class: RetentionIndexes },
  { name: '202611221550-merchants-learned', class: merchantsLearned('webhook') },
  { name: '202611221640-requeued-at', class: RequeuedAt },
  { name: '202611221710-covering-list-indexes', class: CoveringListIndexes },
  { name: '202611221720-expired-at', class: ExpiredAt },
  { name: '202611221721-expired-at-indexes', class: ExpiredAtIndexes },
  { name: '202611221722-drop-delivery-expiry', class: DropDeliveryExpiry },
  { name: '202611230035-to-live', class: ToLive },
  { name: '202611231950-webhook-faults', class: WebhookFaults },
  { name: '202611231951-kept-back', class: KeptBack },
  { name: '202611240030-sandbox-advances', class: SandboxAdvances },
  { name: '202611240031-queue-of-sandbox', class: QueueOfSandbox },
  { name: '202611242105-late-changes', class: LateChanges },
  { name: '202611281030-ages-dropped', class: AgesDropped },
  { name: '202611281031-retention-ages-dropped', class: RetentionAgesDropped },
  outboxPending,
  deliveryBody,
  endpointEnabled,
  endpointWants,
  wakeLanes,
  appendEvents,
  claimDeliveries,
  completeDeliveries,
  takeFaults,
]
