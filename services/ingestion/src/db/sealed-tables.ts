import type { SealedTable } from '@svc/sealing'

/** Where secrets of merchants lie. */
export const sealedTables: readonly SealedTable[] = [
  {
    table: 'channel_settings',
    key: ['merchant_id', 'channel'],
    columns: ['secret', 'previous_secret'],
    row: 'channel',
    tenant: 'merchant_id',
  },
  {
    table: 'cloud_connections',
    key: ['merchant_id'],
    columns: ['access_token', 'pin'],
    row: 'phone_number_id',
    tenant: 'merchant_id',
  },
  { table: 'cloud_signups', key: ['id'], columns: ['access_token', 'pin'], row: 'id', tenant: 'merchant_id' },
]
