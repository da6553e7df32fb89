import { IndexMigration, recorderTableSql, SqlMigration } from '@svc/database'
import { merchantsLearned } from '@svc/service'

const service = 'ingestion'

/** What customers and shops talk about by messages, and by which slug a message names its shop. */
export class Conversations extends SqlMigration {
  override up(): void {
    this.addSql(`
ALTER TABLE merchants
  ADD COLUMN slug text,
  ADD COLUMN timezone text,
  ADD COLUMN messaging_engine text,
  ADD COLUMN version int NOT NULL DEFAULT 0;
GRANT UPDATE ON merchants TO ${service}_worker;
-- Who names no shop is answered for nobody.
ALTER TABLE intent ALTER COLUMN merchant_id DROP NOT NULL;

CREATE TABLE conversations (
  id uuid PRIMARY KEY,
  signer text NOT NULL,
  receiver text NOT NULL,
  sender text NOT NULL,
  merchant_id uuid NOT NULL,
  external_order_id text NOT NULL,
  told jsonb NOT NULL,
  asked text,
  is_of_app boolean NOT NULL,
  messages int NOT NULL,
  hook_id uuid UNIQUE,
  heard_at timestamptz(3) NOT NULL);
COMMENT ON TABLE conversations IS 'In which a customer is asked for what an order needs; of one sender and receiver the newest counts.';
COMMENT ON COLUMN conversations.signer IS
  'Whose secret signed its messages: a merchant, which can sign whatever it likes, has no part in what is said to the platform''s number.';
COMMENT ON COLUMN conversations.external_order_id IS 'The id of the message that opened it.';
COMMENT ON COLUMN conversations.asked IS 'Null: nothing is asked any more.';
COMMENT ON COLUMN conversations.hook_id IS 'Of the message that confirmed it: what the order is made of.';
CREATE INDEX conversations_of_sender ON conversations (signer, receiver, sender, heard_at DESC, id DESC);
CREATE INDEX conversations_expiry ON conversations (heard_at);

CREATE TABLE welcomed_senders (
  sender text PRIMARY KEY,
  welcomed_at timestamptz(3) NOT NULL);
COMMENT ON TABLE welcomed_senders IS 'Who wrote without naming a shop, and when that was answered last.';
CREATE INDEX welcomed_senders_expiry ON welcomed_senders (welcomed_at);
`)
    this.addSql(recorderTableSql({ service, table: 'conversations' }))
    this.addSql(recorderTableSql({ service, table: 'welcomed_senders' }))
  }
}

/** Messages name their shop by it. */
export class MerchantSlugs extends IndexMigration {
  protected override readonly indexes = [{ name: 'merchants_slug', on: 'merchants (slug)' }] as const
}

/** Until now no more than the ids of merchants was kept: all are learned of once more. */
export class MerchantsLearnedAnew extends merchantsLearned(service) {
  override up(): void {
    this.addSql('DROP TABLE merchants_learned')
    super.up()
  }
}
