import { SqlMigration } from '@svc/database'

/** What people have written; those who merely signed up wrote nothing. */
export class InquiryMessages extends SqlMigration {
  override up(): void {
    this.addSql('ALTER TABLE contact_inquiries ADD COLUMN message text')
  }
}
