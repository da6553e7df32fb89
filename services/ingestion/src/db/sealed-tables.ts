import type { SealedTable } from '@svc/sealing'

/** Where secrets of merchants lie. */
export const sealedTables: readonly SealedTable[] = [
  { table: 'channel_settings', columns: ['secret', 'previous_secret'], row: 'channel', tenant: 'merchant_id' },
  { table: 'cloud_connections', columns: ['access_token', 'pin'], row: 'phone_number_id', tenant: 'merchant_id' },
  { table: 'cloud_signups', columns: ['access_token', 'pin'], row: 'id', tenant: 'merchant_id' },
]
