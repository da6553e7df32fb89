import type { Page } from '@svc/inputs'
import type { RateCard } from '../domain/rate-card.ts'
import { type Listed, listed } from './listed.ts'
import { rowOf, type Source, write } from './rows.ts'

/** A version with its times: created with the card, updated with the version. */
export interface StoredRateCard extends RateCard {
  createdAt: Date
  updatedAt: Date
}

export interface RateCardFilter {
  merchantId?: string
  active?: boolean
}

const COLUMNS = `c.id, c.version, c.name, c.merchant_id, c.currency, c.vehicle_type, c.active, c.base_minor, c.per_km_minor,
  c.per_kg_minor, c.fragile_minor, c.minimum_minor, c.surge_percent, c.vat_percent, c.created_at, c.updated_at`

/** The present version of a card, with every other transaction that would change it waiting. */
export async function lockRateCard(source: Source, id: string): Promise<StoredRateCard | null> {
  await write(source, `SELECT pg_advisory_xact_lock(hashtextextended('rate_card:' || $1, 0))`, [id])
  return rowOf<StoredRateCard>(source, `SELECT ${COLUMNS} FROM rate_cards c WHERE id = $1 AND is_current`, [id])
}

/** Present versions, newest card first, and how many there are. */
export const pageOfRateCards = (
  source: Source,
  { merchantId, active }: RateCardFilter,
  page: Page,
): Promise<Listed<StoredRateCard>> =>
  listed<StoredRateCard>(source, {
    columns: COLUMNS,
    from: '(SELECT * FROM rate_cards WHERE is_current) c',
    where: { 'c.merchant_id = ?::uuid': merchantId, 'c.active = ?': active },
    orderBy: 'c.created_at DESC, c.id DESC',
    page,
  })

/** Stores a version as the present one; earlier versions stay as they were. */
export async function storeRateCard(source: Source, card: StoredRateCard): Promise<void> {
  await write(source, 'UPDATE rate_cards SET is_current = false WHERE id = $1 AND is_current', [card.id])
  await write(
    source,
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
