import { ServiceError } from '@svc/errors'
import { type By, merchantNamed, type Tenant } from '@svc/grpc'
import type { Transact, Tx } from '@svc/transact'
import { query } from './query.ts'

interface Merchant {
  id: string
  name: string
  email: string
}

/** Keeps the address to which alerts about the merchant's endpoint go; an older version never overwrites a newer one. */
export async function storeMerchant(tx: Tx, { id, name, email }: Merchant, version: number): Promise<void> {
  await query(
    tx,
    `INSERT INTO merchant (merchant_id, name, email, version) VALUES ($1, $2, $3, $4)
     ON CONFLICT (merchant_id) DO UPDATE SET name = excluded.name, email = excluded.email, version = excluded.version
      WHERE merchant.version < excluded.version`,
    [id, name, email, version],
  )
}

/**
 * The tenant that a call is about: a merchant's own, or both environments of the one that an operator names. Throws
 * not_found for the id of no merchant; one that signed up a moment ago counts once its fact has arrived.
 */
export async function tenantNamed(
  { transact }: { transact: Transact },
  by: By,
  named: string | undefined,
): Promise<Tenant> {
  const merchantId = merchantNamed(by, named)
  if (by.scope !== 'every tenant') return by.scope
  const isKnown = await transact(by.scope, (tx) => isKnownMerchant(tx, merchantId))
  if (!isKnown) throw new ServiceError('not_found')
  return { merchantId, isTest: null }
}

/** Whether anything here belongs to the merchant, be it its name alone. */
async function isKnownMerchant(tx: Tx, merchantId: string): Promise<boolean> {
  const [row] = await query<{ known: boolean }>(
    tx,
    `SELECT EXISTS (SELECT FROM merchant WHERE merchant_id = $1) OR EXISTS (SELECT FROM endpoint WHERE merchant_id = $1)
         OR EXISTS (SELECT FROM delivery WHERE merchant_id = $1) AS known`,
    [merchantId],
  )
  return row?.known ?? false
}
