import { IndexMigration } from '@svc/database'

/** By what the latest messages of one signer are counted: they were looked for among the last hour of all, or all of the signer's. */
export class ConversationsOfSigner extends IndexMigration {
  protected readonly indexes = [{ name: 'conversations_of_signer', on: 'conversations (signer, heard_at)' }]
}
