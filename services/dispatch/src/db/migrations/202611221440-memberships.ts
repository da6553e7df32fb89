import { SqlMigration } from '@svc/database'

/**
 * Since when a rider is of its fleet, who made it, and what it was before; invite codes that are held for a rider whose
 * phone has yet to say yes. Of who is in a fleet already nothing older than this is shown: when it joined is not known.
 */
export class Memberships extends SqlMigration {
  override up(): void {
    this.addSql(`
      ALTER TABLE riders
        ADD COLUMN fleet_since timestamptz(3) DEFAULT now(),
        ADD COLUMN created_by uuid,
        ADD COLUMN was_freelancer boolean NOT NULL DEFAULT false;
      ALTER TABLE riders ALTER COLUMN fleet_since DROP DEFAULT;
      ALTER TABLE invite_codes ADD COLUMN held_for uuid, ADD COLUMN held_until timestamptz(3);
      ALTER TABLE otps DROP CONSTRAINT otps_purpose_check,
        ADD CONSTRAINT otps_purpose_check CHECK (purpose IN ('rider_login', 'rider_phone', 'fleet_invite', 'pod')) NOT VALID;
      -- What concerns a freelancer is no merchant's.
      ALTER TABLE intent ALTER COLUMN merchant_id DROP NOT NULL;`)
  }
}
