import { IndexMigration, SqlMigration } from '@svc/database'

/** Merchants take turns with their shipments, and a shipment whose orders cannot be begun waits. */
export class ShipmentTurns extends SqlMigration {
  override up(): void {
    this.addSql(`
ALTER TABLE shipments ADD COLUMN begin_failures int NOT NULL DEFAULT 0, ADD COLUMN begin_after timestamptz;
COMMENT ON COLUMN shipments.turn_at IS 'When some of its orders were begun last, or failed to be: merchants take turns, and so do the shipments of one.';
COMMENT ON COLUMN shipments.begin_after IS 'Until then none of its orders are begun, for that failed.'`)
  }
}

/** The shipments of a merchant that have orders to begin, and the last turn that a merchant had. */
export class ShipmentTurnIndexes extends IndexMigration {
  protected readonly indexes = [
    {
      name: 'shipments_turns_to_begin',
      on: 'shipments (merchant_id, is_test, turn_at NULLS FIRST) WHERE submitted_at IS NOT NULL AND begun_at IS NULL',
    },
    { name: 'shipments_last_turn', on: 'shipments (merchant_id, is_test, turn_at) WHERE turn_at IS NOT NULL' },
  ]
  protected override readonly replaced = ['shipments_to_begin']
}
