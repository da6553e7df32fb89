import type { Tx } from '@svc/outbox'
import type { RateCard } from '../domain/rate-card.ts'

/** A version with its times: created with the card, updated with the version. */
export interface StoredRateCard extends RateCard {
  createdAt: Date
  updatedAt: Date
}

export interface RateCardFilter {
  merchantId: string | null
  active: boolean | null
}

type Sql = Tx['sql']

const COLUMNS = `id, version, name, merchant_id AS "merchantId", currency, vehicle_type AS "vehicleType", active,
  base_minor AS "baseMinor", per_km_minor AS "perKmMinor", per_kg_minor AS "perKgMinor", fragile_minor AS "fragileMinor",
  minimum_minor AS "minimumMinor", surge_percent AS "surgePercent", vat_percent AS "vatPercent",
  created_at AS "createdAt", updated_at AS "updatedAt"`

/** The present version of a card, with everyone else who would change it waiting. */
export async function lockRateCard(sql: Sql, id: string): Promise<StoredRateCard | null> {
  await sql(`SELECT pg_advisory_xact_lock(hashtextextended('rate_card:' || $1, 0))`, [id])
  const { rows } = await sql<StoredRateCard>(`SELECT ${COLUMNS} FROM rate_cards WHERE id = $1 AND is_current`, [id])
  return rows[0] ?? null
}

/** Present versions, newest card first, and how many there are. */
export async function findRateCards(
  sql: Sql,
  { merchantId, active }: RateCardFilter,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ items: StoredRateCard[]; total: number }> {
  const matches = `is_current AND ($1::uuid IS NULL OR merchant_id = $1) AND ($2::boolean IS NULL OR active = $2)`
  const { rows } = await sql<StoredRateCard>(
    `SELECT ${COLUMNS} FROM rate_cards WHERE ${matches} ORDER BY created_at DESC, id DESC LIMIT $3 OFFSET $4`,
    [merchantId, active, limit, offset],
  )
  const counted = await sql<{ total: number }>(`SELECT count(*)::int AS total FROM rate_cards WHERE ${matches}`, [
    merchantId,
    active,
  ])
  return { items: rows, total: counted.rows[0]!.total }
}

/** Stores a version as the present one; earlier versions stay as they were. */
export async function storeRateCard(sql: Sql, card: StoredRateCard): Promise<void> {
  await sql('UPDATE rate_cards SET is_current = false WHERE id = $1 AND is_current', [card.id])
  await sql(
    `INSERT INTO rate_cards (id, version, is_current, name, merchant_id, currency, vehicle_type, active, base_minor,
       per_km_minor, per_kg_minor, fragile_minor, minimum_minor, surge_percent, vat_percent, created_at, updated_at)
     VALUES ($1, $2, true, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)`,
    [
      card.id,
      card.version,
      card.name,
      card.merchantId,
      card.currency,
      card.vehicleType,
      card.active,
      card.baseMinor,
      card.perKmMinor,
      card.perKgMinor,
      card.fragileMinor,
      card.minimumMinor,
      card.surgePercent,
      card.vatPercent,
      card.createdAt,
      card.updatedAt,
    ],
  )
}
