import { IndexMigration } from '@svc/database'

/** Late changes are few, of all merchants together: lists of riders and of operators find theirs among them too. */
export class LateChangesInOrder extends IndexMigration {
  protected readonly indexes = [{ name: 'late_changes_in_order', on: 'late_changes (xid)' }]
  protected override readonly replaced = ['late_changes_of_merchant']
}
