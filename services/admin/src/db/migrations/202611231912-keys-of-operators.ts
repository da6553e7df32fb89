import { SqlMigration } from '@svc/database'

/** Which keys an operator has been shown, from now on. */
export class KeysOfOperators extends SqlMigration {
  override up(): void {
    this.addSql('ALTER TABLE api_keys ADD COLUMN made_by_operator text')
    this.addSql(`
COMMENT ON COLUMN api_keys.made_by_operator IS
  'Who was shown its secret beside its merchant, or that of the key by which it was made. NULL: nobody, or before this column.'`)
  }
}
