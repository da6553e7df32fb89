import { IndexMigration } from '@svc/database'

/**
 * A page costs the same for an old merchant as for a new one, whatever it is filtered by. Ascending, and read backwards: new
 * rows come last, where pages fill up.
 */
export class ListIndexes extends IndexMigration {
  protected readonly indexes = [
    { name: 'orders_of_status', on: 'orders (merchant_id, status, created_at, id) INCLUDE (is_test)' },
    {
      name: 'orders_of_payment',
      on: 'orders (merchant_id, payment_verified, created_at, id) INCLUDE (is_test)',
    },
    { name: 'orders_of_source', on: 'orders (merchant_id, source, created_at, id) INCLUDE (is_test)' },
    { name: 'orders_of_environment', on: 'orders (merchant_id, is_test, created_at, id)' },
    { name: 'orders_of_external_id', on: 'orders (merchant_id, external_order_id)' },
  ]
}
