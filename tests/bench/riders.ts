import type pg from 'pg'

/** A box around Lagos in which a hundred thousand riders are some 16 to the square kilometre. */
const BOX = { lat: 6.5, lng: 3.4, degrees: 0.7 }
const CHUNK = 50_000

/** A place in that box. */
export const somewhere = () => ({
  lat: BOX.lat + (Math.random() - 0.5) * BOX.degrees,
  lng: BOX.lng + (Math.random() - 0.5) * BOX.degrees,
})

/** Adds approved riders who are online; of a fleet where one is named, else freelancers. Returns their ids. */
export async function addRiders(worker: pg.Pool, count: number, merchantId: string | null = null): Promise<string[]> {
  const ids: string[] = []
  for (let left = count; left > 0; left -= CHUNK) {
    const { rows } = await worker.query<{ id: string }>(
      `INSERT INTO riders (id, rider_type, merchant_id, name, phone, vehicle_type, kyc_status, is_online, created_at, updated_at)
       SELECT gen_random_uuid(), CASE WHEN $2::uuid IS NULL THEN 'freelancer' ELSE 'merchant_fleet' END, $2,
              'Bola Ade', gen_random_uuid(), 'motorcycle', 'approved', true, app_now(), app_now()
         FROM generate_series(1, $1) RETURNING id`,
      [Math.min(left, CHUNK), merchantId],
    )
    for (const { id } of rows) ids.push(id)
  }
  return ids
}

/** Gives riders without one a present position in the box. */
export async function placeRiders(worker: pg.Pool): Promise<void> {
  for (;;) {
    const { rowCount } = await worker.query(
      `INSERT INTO rider_positions (rider_id, place, lat, lng, recorded_at, received_at)
       SELECT id, st_point(lng, lat, 4326)::geography, lat, lng, app_now(), app_now()
         FROM (SELECT id, $1 + (random() - 0.5) * $3 AS lat, $2 + (random() - 0.5) * $3 AS lng FROM riders r
                WHERE NOT EXISTS (SELECT FROM rider_positions p WHERE p.rider_id = r.id) LIMIT $4) AS placed`,
      [BOX.lat, BOX.lng, BOX.degrees, CHUNK],
    )
    if (rowCount === 0) return
  }
}
