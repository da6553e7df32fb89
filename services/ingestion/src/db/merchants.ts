import type { Merchant } from '@svc/contracts/admin/v1/merchant'
import { ServiceError } from '@svc/errors'
import { type By, merchantNamed } from '@svc/grpc'
import type { Transact, Tx } from '@svc/transact'

/** What of a merchant decides how its customers are answered. */
export interface Shop {
  merchantId: string
  timezone: string
  /** rules, ai or off. */
  messagingEngine: string
}

/** Remembers a merchant as it is now; what is older than what is known changes nothing. */
export async function storeMerchant(tx: Tx, merchantId: string, known: Partial<Merchant> = {}): Promise<void> {
  const { slug, timezone, messaging_engine: engine, version = 0 } = known
  await tx.sql(
    `INSERT INTO merchants (id, slug, timezone, messaging_engine, version)
     VALUES ($1, nullif($2, ''), nullif($3, ''), nullif($4, ''), $5)
     ON CONFLICT (id) DO UPDATE SET
       slug = excluded.slug, timezone = excluded.timezone, messaging_engine = excluded.messaging_engine,
       version = excluded.version
     WHERE merchants.version < excluded.version`,
    [merchantId, slug ?? null, timezone ?? null, engine ?? null, version],
  )
}

const SHOP = `id AS "merchantId", coalesce(timezone, 'Africa/Lagos') AS timezone,
  coalesce(messaging_engine, 'rules') AS "messagingEngine"`

export async function findShop(tx: Pick<Tx, 'sql'>, merchantId: string): Promise<Shop | null> {
  const { rows } = await tx.sql<Shop>(`SELECT ${SHOP} FROM merchants WHERE id = $1`, [merchantId])
  return rows[0] ?? null
}

export async function findShopBySlug(tx: Pick<Tx, 'sql'>, slug: string): Promise<Shop | null> {
  const { rows } = await tx.sql<Shop>(`SELECT ${SHOP} FROM merchants WHERE slug = $1 ORDER BY id LIMIT 1`, [slug])
  return rows[0] ?? null
}

/**
 * The merchant that a call is about: the one that calls, or the one that an operator names. Throws not_found for the id of
 * no merchant; one that signed up a moment ago counts once its fact has arrived.
 */
export async function knownMerchant(
  { transact }: { transact: Transact },
  by: By,
  named: string | undefined,
): Promise<string> {
  const merchantId = merchantNamed(by, named)
  if (by.scope !== 'every tenant') return merchantId
  const { rows } = await transact(by.scope, (tx) => tx.sql('SELECT FROM merchants WHERE id = $1', [merchantId]))
  if (rows.length === 0) throw new ServiceError('not_found')
  return merchantId
}
