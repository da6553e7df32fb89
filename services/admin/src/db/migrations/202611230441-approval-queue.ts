import { IndexMigration } from '@svc/database'

/** By which operators find the businesses that wait for them, however many there are. */
export class ApprovalQueue extends IndexMigration {
  protected readonly indexes = [
    {
      name: 'merchants_approval_queue',
      on: "merchants (updated_at, id) WHERE business_approval_status IN ('pending', 'rejected')",
    },
  ]
}
