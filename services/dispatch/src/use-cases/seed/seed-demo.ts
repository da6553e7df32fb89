import { randomUUID } from 'node:crypto'
import { VEHICLES } from '@svc/parcel'
import type { Tx } from '@svc/transact'
import { z } from 'zod'
import type { Context } from '../../context.ts'
import { type AreaSet, findAreas, lockAreas, replaceAreas } from '../../db/areas.ts'
import { seePosition } from '../../db/live-positions.ts'
import { pageOfRateCards, storeRateCard } from '../../db/rate-cards.ts'
import { changeRider, createRider } from '../../db/riders.ts'
import { readAreas } from '../../domain/area.ts'
import { newTerms } from '../../domain/rate-card.ts'

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
 * An area and a price for every merchant, and a fleet that is approved and online in it. What is there stays as it is; where
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

async function seedArea(tx: Tx, set: AreaSet, { name, geometry }: SeedInput['area']): Promise<void> {
  await lockAreas(tx, set)
  if ((await findAreas(tx, set)).length > 0) return
  const inputs = readAreas([{ name, active: true, priority: 0, geometry_json: JSON.stringify(geometry) }])
  const areas = inputs.map((area) => ({ ...area, id: randomUUID(), createdAt: tx.now }))
  await replaceAreas(tx, set, areas)
}

async function seedRateCard(tx: Tx, input: SeedInput['rate_card']): Promise<void> {
  const { total } = await pageOfRateCards(tx, {}, { limit: 1, offset: 0 })
  if (total > 0) return
  await storeRateCard(tx, { ...newTerms(input), id: randomUUID(), version: 1, createdAt: tx.now, updatedAt: tx.now })
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
  await seePosition(tx, id, { lat, lng })
}
