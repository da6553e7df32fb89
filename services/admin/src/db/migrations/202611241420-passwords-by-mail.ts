import { SqlMigration } from '@svc/database'

/** Whether a password was chosen by who reads the mails of its account: whoever signs up first has shown nothing of the kind. */
export class PasswordsByMail extends SqlMigration {
  override up(): void {
    this.addSql('ALTER TABLE users ADD COLUMN password_by_mail boolean NOT NULL DEFAULT false')
    this.addSql(`COMMENT ON COLUMN users.password_by_mail IS 'It, or one before it, was chosen by the link of a mail.'`)
  }
}
