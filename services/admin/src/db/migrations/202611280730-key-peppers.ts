import { SqlMigration } from '@svc/database'

/** Which pepper made the digest of a key: how many are left of one that is to go. Of those of before there was one pepper alone. */
export class KeyPeppers extends SqlMigration {
  override up(): void {
    this.addSql('ALTER TABLE api_keys ADD COLUMN secret_pepper text')
    this.addSql(
      `COMMENT ON COLUMN api_keys.secret_pepper IS 'Names the pepper that made secret_hmac; null: the only one there was.'`,
    )
  }
}
