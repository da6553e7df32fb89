import type { SealedTable } from '@svc/sealing'

/** Where secrets of merchants lie. */
export const sealedTables: readonly SealedTable[] = [
  {
    table: 'endpoint',
    key: ['merchant_id'],
    columns: ['secret', 'previous_secret', 'test_secret', 'test_previous_secret'],
    row: 'merchant_id',
    tenant: 'merchant_id',
  },
]
