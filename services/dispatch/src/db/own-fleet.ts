import type { Database } from '@svc/database'

/** Whether the merchant delivers by its own fleet; one that nobody has told of yet does not. */
export async function deliversByOwnFleet({ worker }: Pick<Database, 'worker'>, merchantId: string): Promise<boolean> {
  const text = `SELECT FROM merchants WHERE id = $1 AND fulfillment_mode = 'internal_fleet'`
  return (await worker.query({ name: 'delivers_by_own_fleet', text, values: [merchantId] })).rowCount === 1
}
