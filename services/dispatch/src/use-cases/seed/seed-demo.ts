import { randomUUID } from 'node:crypto'
import type { Tx } from '@svc/outbox'
import { VEHICLES } from '@svc/parcel'
import { z } from 'zod'
import type { Context } from '../../context.ts'
import { type AreaSet, findAreas, lockAreas, replaceAreas } from '../../db/areas.ts'
import { findRateCards, storeRateCard } from '../../db/rate-cards.ts'
import { readAreas } from '../../domain/area.ts'
import { newTerms } from '../../domain/rate-card.ts'
import { changeRider, createRider } from '../riders/change-rider.ts'

export const seedInput = z.object({
  merchant_id: z.uuid(),
  area: z.object({ name: z.string(), geometry: z.unknown() }),
  rate_card: z.object({
    name: z.string(),
    currency: z.string(),
    base_minor: z.int(),
    per_km_minor: z.int(),
    minimum_minor: z.int(),
  }),
  riders: z.array(
    z.object({
      id: z.uuid(),
      name: z.string(),
      phone: z.string(),
      vehicle_type: z.enum(VEHICLES),
      lat: z.number(),
      lng: z.number(),
    }),
  ),
})

type SeedInput = z.output<typeof seedInput>

/**
 * An area and a price for everybody, and a fleet that is approved and online in it. What is there stays as it is; where
 * riders were last counts as where they are.
 */
export async function seedDemo({ transact }: Pick<Context, 'transact'>, input: SeedInput): Promise<void> {
  await transact('every tenant', async (tx) => {
    await seedArea(tx, { merchantId: null }, input.area)
    await seedArea(tx, { merchantId: input.merchant_id }, input.area)
    await seedRateCard(tx, input.rate_card)
    for (const rider of input.riders) await seedRider(tx, input.merchant_id, rider)
  })
}

async function seedArea({ sql, now }: Tx, set: AreaSet, { name, geometry }: SeedInput['area']): Promise<void> {
  await lockAreas(sql, set)
  if ((await findAreas(sql, set)).length > 0) return
  const inputs = readAreas([{ name, active: true, priority: 0, geometry_json: JSON.stringify(geometry) }])
  const areas = inputs.map((area) => ({ ...area, id: randomUUID(), createdAt: now }))
  await replaceAreas(sql, set, areas)
}

async function seedRateCard({ sql, now }: Tx, input: SeedInput['rate_card']): Promise<void> {
  const { total } = await findRateCards(sql, { merchantId: null, active: null }, { limit: 1, offset: 0 })
  if (total > 0) return
  await storeRateCard(sql, { ...newTerms(input), id: randomUUID(), version: 1, createdAt: now, updatedAt: now })
}

async function seedRider(tx: Tx, merchantId: string, given: SeedInput['riders'][number]): Promise<void> {
  const { id, name, phone, vehicle_type: vehicleType, lat, lng } = given
  const rider = await createRider(tx, {
    id,
    riderType: 'merchant_fleet',
    merchantId,
    name,
    phone,
    vehicleType,
    city: 'Lagos',
  })
  if (rider) await changeRider(tx, id, { phoneVerifiedAt: tx.now, kycStatus: 'approved', isOnline: true })
  await tx.sql(
    `INSERT INTO rider_positions (rider_id, place, lat, lng, recorded_at, received_at)
     SELECT id, ST_SetSRID(ST_MakePoint($3, $2), 4326), $2, $3, $4, $4 FROM riders WHERE id = $1
     ON CONFLICT (rider_id) DO UPDATE SET recorded_at = excluded.recorded_at, received_at = excluded.received_at`,
    [id, lat, lng, tx.now],
  )
}
