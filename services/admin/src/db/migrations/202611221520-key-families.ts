import { SqlMigration } from '@svc/database'

/** Which secret of a key a family comes from, so that a family is dead before its own row says so. */
export class KeyFamilies extends SqlMigration {
  override up(): void {
    this.addSql('ALTER TABLE api_keys ADD COLUMN rotations int NOT NULL DEFAULT 0')
    this.addSql('ALTER TABLE api_keys ADD COLUMN has_dead_families boolean NOT NULL DEFAULT false')
    this.addSql('ALTER TABLE sessions ADD COLUMN key_rotations int NOT NULL DEFAULT 0')
    this.addSql(`COMMENT ON COLUMN api_keys.rotations IS 'How many secrets it had before the present one.'`)
    this.addSql(`COMMENT ON COLUMN api_keys.has_dead_families IS
      'Families of a secret that is gone, or of the revoked key, are still to be ended; nothing waits for that.'`)
    this.addSql(`COMMENT ON COLUMN sessions.key_rotations IS 'Those of its key when the family began.'`)
  }
}
