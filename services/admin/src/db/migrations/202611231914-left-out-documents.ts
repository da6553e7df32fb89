import { IndexMigration } from '@svc/database'

/** By which the oldest documents that were left out are found. */
export class LeftOutDocuments extends IndexMigration {
  protected readonly indexes = [
    { name: 'kyb_documents_left_out', on: 'kyb_documents (left_out_at) WHERE left_out_at IS NOT NULL' },
  ]
}
